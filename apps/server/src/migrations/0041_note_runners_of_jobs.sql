-- Runners of background jobs report here that they live. The jobs of one that stopped to report are released, so that
-- another node runs them. Nodes of the release before do not report, and their jobs are left alone.
create table job_runner (
  -- The name with which graphile-worker locks jobs.
  id text primary key,
  seen_at timestamptz not null
);
