import { argumentsOf, callsOf, flat, pieces, records, usersOf } from './dialect.ts';
import type { Answer, Asked, Dialect, ServerEvent } from './dialect.ts';

const error = (status: number) => ({
  error: { message: `fake ${status}`, type: 'fake_error', code: String(status) },
});

/** OpenAI's chat completions, which Mistral, Ollama and many servers speak as well. */
export const chat: Dialect = {
  api: 'chat',
  path: /\/chat\/completions$/,
  error,
  read(body) {
    const messages = records(body.messages);
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: messages
        .filter(({ role }) => role === 'system' || role === 'developer')
        .map(flat)
        .join('\n'),
      users: usersOf(messages),
      tools: records(body.tools).map((tool) => String((tool.function as { name?: unknown }).name)),
      toolResult: messages.at(-1)?.role === 'tool',
    };
  },
  whole(asked, reply) {
    const message = {
      role: 'assistant',
      content: isCall(reply) ? null : reply.text,
      ...(isCall(reply) ? { tool_calls: chatCalls(reply) } : {}),
    };
    return {
      ...chatBase(asked, reply, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: chatFinish(reply) }],
      usage: chatUsage(reply),
    };
  },
  *events(asked, reply): Iterable<ServerEvent> {
    const base = chatBase(asked, reply, 'chat.completion.chunk');
    const chunk = (delta: unknown, finish_reason: string | null = null) => ({
      ...base,
      choices: [{ index: 0, delta, finish_reason }],
    });
    yield { data: chunk({ role: 'assistant', content: '' }) };
    if (isCall(reply))
      yield {
        data: chunk({ tool_calls: chatCalls(reply).map((call, index) => ({ index, ...call })) }),
        text: true,
      };
    else for (const content of pieces(reply.text)) yield { data: chunk({ content }), text: true };
    yield { data: { ...chunk({}, chatFinish(reply)), usage: chatUsage(reply) } };
    yield { data: '[DONE]' };
  },
};

const chatBase = ({ model }: Asked, { id }: Answer, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: 1,
  model,
});
const isCall = (reply: Answer): boolean => callsOf(reply).length > 0;
const chatFinish = (reply: Answer): string => reply.finish ?? (isCall(reply) ? 'tool_calls' : 'stop');
const chatUsage = ({ usage }: Answer) => ({
  prompt_tokens: usage.input,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
});
const chatCalls = (reply: Answer) =>
  callsOf(reply).map((call) => ({
    id: `call_${call.id}`,
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call) },
  }));

/** OpenAI's responses, which codex speaks. */
export const responses: Dialect = {
  api: 'responses',
  path: /\/responses$/,
  error,
  read(body) {
    const input =
      typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : records(body.input);
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: [flat(body.instructions), ...input.filter(({ role }) => role === 'developer').map(flat)].join(
        '\n',
      ),
      users: usersOf(input),
      tools: records(body.tools).flatMap((tool) =>
        tool.type === 'namespace'
          ? records(tool.tools).map(({ name }) => `${String(tool.name)}/${String(name)}`)
          : [String(tool.name ?? tool.type)],
      ),
      toolResult: String(input.at(-1)?.type ?? '').endsWith('_output'),
    };
  },
  whole: (asked, reply) => completed(asked, reply),
  *events(asked, reply): Iterable<ServerEvent> {
    let number = 0;
    const event = (type: string, more: object, text = false): ServerEvent => ({
      name: type,
      data: { type, sequence_number: number++, ...more },
      text,
    });
    const item = outputItem(reply);
    const at = { item_id: item.id, output_index: 0 };
    yield event('response.created', { response: { ...responseBase(asked, reply), status: 'in_progress' } });
    const empty = reply.tool ? { arguments: '' } : { content: [] };
    yield event('response.output_item.added', {
      output_index: 0,
      item: { ...item, ...empty, status: 'in_progress' },
    });
    if (reply.tool) {
      const args = argumentsOf(reply.tool);
      yield event('response.function_call_arguments.delta', { ...at, delta: args }, true);
      yield event('response.function_call_arguments.done', { ...at, arguments: args });
    } else {
      const part = { ...at, content_index: 0 };
      yield event('response.content_part.added', { ...part, part: outputText('') });
      for (const delta of pieces(reply.text))
        yield event('response.output_text.delta', { ...part, delta }, true);
      yield event('response.output_text.done', { ...part, text: reply.text });
      yield event('response.content_part.done', { ...part, part: outputText(reply.text) });
    }
    yield event('response.output_item.done', { output_index: 0, item });
    yield event('response.completed', { response: completed(asked, reply) });
  },
};

const responseBase = ({ model }: Asked, { id }: Answer) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: 1,
  model,
  output: [] as unknown[],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  error: null,
  incomplete_details: null,
  metadata: {},
});

const completed = (asked: Asked, reply: Answer) => ({
  ...responseBase(asked, reply),
  status: 'completed',
  output: [outputItem(reply)],
  usage: {
    input_tokens: reply.usage.input,
    input_tokens_details: { cached_tokens: reply.usage.cached },
    output_tokens: reply.usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: reply.usage.input + reply.usage.output,
  },
});

const outputText = (text: string) => ({ type: 'output_text', text, annotations: [] });

function outputItem({ id, tool, text }: Answer) {
  const status = 'completed';
  if (!tool)
    return { type: 'message', id: `msg_${id}`, role: 'assistant', status, content: [outputText(text)] };
  const [name, namespace] = tool.name.split('/').reverse();
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: argumentsOf(tool),
    status,
  };
}
