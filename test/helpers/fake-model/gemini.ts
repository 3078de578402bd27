import { callsOf, flat, pieces, records, usersOf } from './dialect.ts';
import type { Answer, Asked, Dialect, ServerEvent } from './dialect.ts';

const ERRORS: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
};

/** Google's generateContent, which gemini speaks. */
export const gemini: Dialect = {
  api: 'gemini',
  path: /:(stream)?generateContent$/i,
  error: (status) => ({
    error: { code: status, message: `fake ${status}`, status: ERRORS[status] ?? 'INTERNAL' },
  }),
  read(body, path) {
    const contents = records(body.contents);
    const parts = records(contents.at(-1)?.parts);
    const config = (body.generationConfig ?? {}) as Record<string, Record<string, unknown> | undefined>;
    const schema = config.responseJsonSchema ?? config.responseSchema;
    return {
      model: decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? ''),
      stream: path.includes(':stream'),
      system: flat(body.systemInstruction),
      users: usersOf(contents),
      tools: records(body.tools).flatMap((tool) =>
        records(tool.functionDeclarations).map(({ name }) => String(name)),
      ),
      toolResult: parts.some((part) => 'functionResponse' in part),
      ...(schema ? { schema } : {}),
    };
  },
  whole: (asked, reply) => candidate(asked, reply, part(reply), true),
  *events(asked, reply): Iterable<ServerEvent> {
    if (callsOf(reply).length > 0) {
      yield { data: candidate(asked, reply, part(reply), true), text: true };
      return;
    }
    const texts = pieces(reply.text);
    for (const [at, text] of texts.entries())
      yield { data: candidate(asked, reply, [{ text }], at === texts.length - 1), text: true };
    if (texts.length === 0) yield { data: candidate(asked, reply, [], true), text: true };
  },
};

const part = (reply: Answer) => {
  const calls = callsOf(reply);
  if (calls.length === 0) return [{ text: reply.text }];
  return calls.map(({ name, input }) => ({ functionCall: { name, args: input } }));
};

const candidate = ({ model }: Asked, reply: Answer, parts: unknown[], last: boolean) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts },
      ...(last ? { finishReason: reply.finish ?? 'STOP' } : {}),
    },
  ],
  ...(last
    ? {
        usageMetadata: {
          promptTokenCount: reply.usage.input,
          cachedContentTokenCount: reply.usage.cached,
          candidatesTokenCount: reply.usage.output,
          totalTokenCount: reply.usage.input + reply.usage.output,
        },
      }
    : {}),
  modelVersion: model,
  responseId: reply.id,
});
