import { argumentsOf, callsOf, flat, pieces, records, usersOf } from './dialect.ts';
import type { Answer, Asked, Dialect, ServerEvent } from './dialect.ts';

const ERRORS: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Anthropic's messages, which claude speaks. */
export const anthropic: Dialect = {
  api: 'anthropic',
  path: /\/messages$/,
  error: (status) => ({
    type: 'error',
    error: { type: ERRORS[status] ?? 'api_error', message: `fake ${status}` },
  }),
  read(body) {
    const messages = records(body.messages);
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: flat(body.system),
      users: usersOf(messages),
      tools: records(body.tools).map(({ name }) => String(name)),
      toolResult: records(messages.at(-1)?.content).some(({ type }) => type === 'tool_result'),
    };
  },
  whole: (asked, reply) => ({
    ...base(asked, reply),
    content: blocks(reply),
    stop_reason: stopReason(reply),
    usage: usage(reply),
  }),
  *events(asked, reply): Iterable<ServerEvent> {
    const event = (type: string, more: object, text = false): ServerEvent => ({
      name: type,
      data: { type, ...more },
      text,
    });
    const message = { ...base(asked, reply), content: [], usage: { ...usage(reply), output_tokens: 1 } };
    yield event('message_start', { message });
    for (const [index, block] of blocks(reply).entries()) {
      const delta = (value: object) => event('content_block_delta', { index, delta: value }, true);
      const empty = block.type === 'text' ? { text: '' } : { input: {} };
      yield event('content_block_start', { index, content_block: { ...block, ...empty } });
      const call = callsOf(reply)[index];
      if (call) yield delta({ type: 'input_json_delta', partial_json: argumentsOf(call) });
      else for (const text of pieces(reply.text)) yield delta({ type: 'text_delta', text });
      yield event('content_block_stop', { index });
    }
    yield event('message_delta', {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: reply.usage.output },
    });
    yield event('message_stop', {});
  },
};

const base = ({ model }: Asked, { id }: Answer) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_reason: null,
  stop_sequence: null,
});
const stopReason = (reply: Answer): string =>
  reply.finish ?? (callsOf(reply).length > 0 ? 'tool_use' : 'end_turn');
const blocks = (reply: Answer): { type: string }[] => {
  const calls = callsOf(reply);
  if (calls.length === 0) return [{ type: 'text', text: reply.text } as { type: string }];
  return calls.map(({ id, name, input }) => ({ type: 'tool_use', id: `toolu_${id}`, name, input }));
};
const usage = ({ usage: { input, output, cached, written } }: Answer) => ({
  input_tokens: input - cached - written,
  output_tokens: output,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
});
