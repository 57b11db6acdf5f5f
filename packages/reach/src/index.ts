export { decide } from './decide.ts'
export type { ChannelSettings, Decision, DecisionInput, TopicPolicy, Verdict } from './input.ts'
export { findQuietEnd, type QuietHours } from './quiet-hours.ts'
export { ruleIds } from './rules.ts'
