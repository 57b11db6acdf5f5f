import { z } from 'zod'

type Fields = Record<string, z.ZodType>

/** An event: its id, its type and what it says. */
export const kind = <const Type extends string, Said extends Fields>(type: Type, said: Said) =>
  z.strictObject({ id: z.int(), type: z.literal(type), ...said })
