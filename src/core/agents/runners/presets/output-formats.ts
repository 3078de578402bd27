// Output formats of each agent program, version by version, as data. test/fixtures/presets/ has samples.
import type { PresetName } from '../../runner-kind.ts';
import type { Rule, OutputShape, UsageRule } from './preset.ts';

/** Builds the rule for usage figures below one path. */
const buildUsageRule = (
  path: string,
  input: readonly string[],
  cached: string,
  output: string,
): UsageRule => ({
  input: input.map((key) => `${path}.${key}`),
  cached: [`${path}.${cached}`],
  output: [`${path}.${output}`],
});

const OPENAI = [['input_tokens'], 'cached_input_tokens', 'output_tokens'] as const;
const ANTHROPIC = [
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  'cache_read_input_tokens',
  'output_tokens',
] as const;
const CLAUDE: readonly UsageRule[] = [
  {
    models: 'modelUsage',
    input: ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'],
    cached: ['cacheReadInputTokens'],
    output: ['outputTokens'],
    cost: 'total_cost_usd',
  },
  { ...buildUsageRule('usage', ...ANTHROPIC), cost: 'total_cost_usd' },
];
const GEMINI: readonly UsageRule[] = [
  {
    models: 'stats.models',
    input: ['tokens.prompt'],
    cached: ['tokens.cached'],
    output: ['tokens.candidates', 'tokens.thoughts'],
  },
];
const OPENCLAW = [['input', 'cacheRead', 'cacheWrite'], 'cacheRead', 'output'] as const;

export const shapes: Record<PresetName, OutputShape> = {
  claude: {
    session: 'session_id',
    rules: [
      { when: { type: 'system' }, is: 'other' },
      // The text of its own subagent is not the answer.
      { when: { type: 'assistant', parent_tool_use_id: null }, is: 'other' },
      {
        when: { type: 'assistant' },
        is: 'message',
        text: 'message.content',
        join: '\n\n',
        usage: [{ ...buildUsageRule('message.usage', ...ANTHROPIC), model: ['message.model'] }],
        figures: 'of a step',
      },
      {
        when: { type: 'result', subtype: 'success', is_error: false },
        is: 'end',
        text: 'result',
        stop: ['stop_reason'],
        usage: CLAUDE,
      },
      {
        when: { type: 'result' },
        is: 'failure',
        reason: ['result', 'errors', 'subtype'],
        stop: ['stop_reason', 'subtype'],
        status: 'api_error_status',
        usage: CLAUDE,
      },
    ],
  },
  codex: {
    session: 'thread_id',
    rules: [
      { when: { type: 'thread.started' }, is: 'other' },
      { when: { type: 'item.completed', 'item.type': 'agent_message' }, is: 'message', text: 'item.text' },
      // Until version 0.44.
      {
        when: { type: 'item.completed', 'item.item_type': 'assistant_message' },
        is: 'message',
        text: 'item.text',
      },
      { when: { type: 'item.completed' }, is: 'other' },
      { when: { type: 'turn.completed' }, is: 'end', usage: [buildUsageRule('usage', ...OPENAI)] },
      { when: { type: 'turn.failed' }, is: 'failure', reason: ['error.message'] },
      // Retries and warnings: a reason only if the turn does not end.
      { when: { type: 'error' }, is: 'trouble', reason: ['message'] },
      // Until version 0.36.
      { when: { 'msg.type': 'agent_message' }, is: 'message', text: 'msg.message' },
      { when: { 'msg.type': 'task_complete' }, is: 'end', text: 'msg.last_agent_message' },
      { when: { 'msg.type': 'turn_aborted' }, is: 'failure', reason: ['msg.reason'] },
      { when: { 'msg.type': 'error' }, is: 'trouble', reason: ['msg.message'] },
      { when: { 'msg.type': 'stream_error' }, is: 'trouble', reason: ['msg.message'] },
      {
        when: { 'msg.type': 'token_count' },
        is: 'other',
        usage: [buildUsageRule('msg.info.total_token_usage', ...OPENAI), buildUsageRule('msg', ...OPENAI)],
        figures: 'of all before',
      },
    ],
  },
  gemini: {
    session: 'session_id',
    // While retrying, for minutes, it reports nothing else.
    log: /^Attempt \d+ failed with status 429\b.*|\b\w*QuotaError\b.*/m,
    failsOnStderr: true,
    configExits: [41, 42, 44, 52],
    rules: [
      // With "stream-json".
      { when: { type: 'init' }, is: 'other' },
      { when: { type: 'message', role: 'assistant', delta: true }, is: 'message', text: 'content', join: '' },
      { when: { type: 'message', role: 'assistant' }, is: 'message', text: 'content' },
      { when: { type: 'message' }, is: 'other' },
      { when: { type: 'tool_result' }, is: 'other' },
      { when: { type: 'error' }, is: 'trouble', reason: ['message'] },
      {
        when: { type: 'result', status: 'success' },
        is: 'end',
        usage: [buildUsageRule('stats', ['input_tokens'], 'cached', 'output_tokens')],
      },
      {
        when: { error: null },
        is: 'failure',
        reason: ['error.message'],
        stop: ['error.type'],
        status: 'error.code',
        usage: GEMINI,
      },
      { when: { response: null }, is: 'end', text: 'response', usage: GEMINI },
    ],
  },
  opencode: {
    session: 'sessionID',
    // It retries for a minute or more, and its events do not name an unknown model.
    log: /\b(?:ProviderModelNotFoundError|ProviderInitError|ProviderAuthError): [^"\n)]*|AI_APICallError: [^"\n]*\b(?:429|rate.?limit|too many requests|quota)\b[^"\n]*/i,
    rules: [
      { when: { type: 'step_start' }, is: 'begin' },
      { when: { type: 'text' }, is: 'message', text: 'part.text', join: '\n\n' },
      {
        when: { type: 'step_finish', 'part.reason': null },
        is: 'end',
        stop: ['part.reason'],
        usage: [
          {
            input: ['part.tokens.input', 'part.tokens.cache.read', 'part.tokens.cache.write'],
            cached: ['part.tokens.cache.read'],
            output: ['part.tokens.output', 'part.tokens.reasoning'],
            cost: 'part.cost',
          },
        ],
      },
      {
        when: { type: 'error' },
        is: 'failure',
        reason: ['error.data.message', 'error.name'],
        stop: ['error.name'],
        status: 'error.data.statusCode',
        retryAfter: 'error.data.responseHeaders.retry-after',
      },
    ],
  },
  openclaw: {
    // It retries until the timeout, and only its log shows why.
    log: /\bstatus=429\b/,
    rules: [
      {
        when: { ok: true },
        is: 'end',
        text: 'final',
        stop: ['status'],
        usage: [{ ...buildUsageRule('usage', ...OPENCLAW), cost: 'costUsd', model: ['provider', 'model'] }],
      },
      {
        when: { ok: false },
        is: 'failure',
        reason: ['error.message'],
        stop: ['status'],
        usage: [{ ...buildUsageRule('usage', ...OPENCLAW), cost: 'costUsd', model: ['provider', 'model'] }],
      },
      // The older "agent --json".
      {
        when: { payloads: null, 'meta.aborted': false },
        is: 'end',
        text: 'payloads',
        stop: ['meta.stopReason'],
        usage: [
          {
            ...buildUsageRule('meta.agentMeta.usage', ...OPENCLAW),
            model: ['meta.agentMeta.provider', 'meta.agentMeta.model'],
          },
        ],
      },
    ],
  },
  ollama: {
    rules: [],
    counts: { input: /^prompt eval count:\s+(\d+) token/m, output: /^eval count:\s+(\d+) token/m },
  },
  llm: {
    rules: [],
    counts: {
      input: /^Token usage: .*?\b([\d,]+) input/m,
      output: /^Token usage: .*?\b([\d,]+) output/m,
    },
  },
};

/** Rules for every program: error responses of model providers, which programs print unchanged. */
export const COMMON_RULES: readonly Rule[] = [
  {
    when: { 'error.message': null },
    is: 'trouble',
    reason: ['error.message'],
    stop: ['error.code', 'error.type'],
  },
];

/** Paths of the error in a report with an end. */
export const ERROR_REASONS = ['error.message', 'error', 'errors', 'meta.error.message'];

/** Names of usage figures in documents that match no rule: a launch costs even if its answer cannot be read. */
export const FIGURES = {
  input: /^(?:input|prompt)(?:_?tokens?)?(?:_?count)?$/i,
  cached: /^cached?(?:_?(?:input|content|read))?(?:_?input)?(?:_?tokens?)?(?:_?count)?$/i,
  output: /^(?:output|completion|candidates)(?:_?tokens?)?(?:_?count)?$/i,
  cost: /^(?:total_?)?cost(?:_?usd)?$/i,
} as const;

/** Whether the output of a runner's program includes its cost. */
export const reportsCost = (runner: string): boolean =>
  Object.hasOwn(shapes, runner) &&
  shapes[runner as PresetName].rules.some(({ usage = [] }) => usage.some(({ cost }) => cost !== undefined));
