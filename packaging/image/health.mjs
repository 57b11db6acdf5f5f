// The health check of the image: status 0 while the node answers.
const response = await fetch(`http://127.0.0.1:${process.env.OXBOW_PORT ?? 8484}/health`).catch(
  () => undefined,
)
process.exit(response?.ok ? 0 : 1)
