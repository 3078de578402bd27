import type * as Zod from 'zod';

/** The arguments of the tools, as schemas of zod, which is loaded with the server. */
export function inputsOf(z: typeof Zod) {
  const name = z
    .string()
    .optional()
    .describe('the council (default: active-conversation, or the only active one)');
  const agent = z
    .string()
    .optional()
    .describe('the id of the participant (default: the one this server was started for)');
  return {
    list: z.object({}),
    start: z.object({
      topic: z.string().optional().describe("the question in one line (default: the brief's first heading)"),
      mode: z
        .string()
        .optional()
        .describe("debate (default), prd, analysis, review, synthesis, or one of the project's"),
      agents: z
        .union([z.array(z.string()), z.string()])
        .optional()
        .describe('the participants: ids, as a list or separated by commas (default: those of agents/)'),
      coordinator: z.string().optional().describe('who writes the synthesis'),
      panel: z
        .enum(['offline'])
        .optional()
        .describe('a ready-made table of four reviewers that need no model'),
      brief: z.string().optional().describe('the question and its context, as Markdown text'),
      timeout: z.string().optional().describe('how long a phase may last: 30m, 1h, 2d'),
      identity: z.enum(['open', 'token']).optional().describe('token: everybody needs their own token'),
      open: z.boolean().optional().describe('true: without blindness'),
      name: z.string().optional().describe('a name for this council (default: active-conversation)'),
    }),
    view: z.object({ agent, name }),
    respond: z.object({
      agent,
      text: z.string().describe('the contribution, kept word for word'),
      agree: z.boolean().optional().describe('you can live with what is on the table'),
      done: z.boolean().optional().describe('you have nothing to add in the coming phases'),
      block: z
        .union([z.array(z.string()), z.string()])
        .optional()
        .describe('problems that must be solved first'),
      replace: z.boolean().optional().describe('replace what you said in this phase'),
      name,
    }),
    status: z.object({
      name: z.string().optional().describe('only this council (default: every active one)'),
    }),
    tick: z.object({
      name: z.string().optional().describe('only this council (default: every active one)'),
      launch: z.boolean().optional().describe('false: close phases, launch nobody'),
      untilIdle: z
        .boolean()
        .optional()
        .describe('true: go on until there is nothing to close or launch; may take long'),
    }),
    search: z.object({
      query: z.string().describe('words and "phrases"'),
      limit: z.int().min(1).optional().describe('how many results (default: 10)'),
    }),
    show: z.object({ archive: z.string().describe('stem, path or conversationId, as list gives it') }),
  };
}

export type Inputs = ReturnType<typeof inputsOf>;
export type Input<Name extends keyof Inputs> = Zod.infer<Inputs[Name]>;
