// Preset for OpenCode: command line, configuration with the persona, and reading its output.
import type { Preset } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES } from './preset.ts';
import { answered, failed, kindOfStatus, parseLines, sum } from './reading.ts';
import type { Json } from './reading.ts';

/** As it is by default: files of secrets stay closed. */
const READ = { '*': 'allow', '*.env': 'deny', '*.env.*': 'deny', '*.env.example': 'allow' };
const READING = { read: READ, grep: 'allow', glob: 'allow', list: 'allow' };

/** OpenCode. It reads the persona from the file that the configuration of this one launch names. */
export const opencode: Preset = {
  program: 'opencode',
  install: 'npm install -g opencode-ai',
  login: 'opencode auth login',
  models: 'opencode models',
  secrets: [
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GROQ_API_KEY',
    'MISTRAL_API_KEY',
    'OPENAI_API_KEY',
    'OPENCODE_API_KEY',
    'OPENROUTER_API_KEY',
  ],
  settings: [...PROXIES, 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  plan: ({ agent, system, input, reads, writes = false, folder }) => {
    const persona = system === '' ? {} : { prompt: `{file:${personaPath(folder)}}` };
    const permission = { '*': 'deny', ...(reads && READING), ...(writes && { edit: 'allow' }) };
    const seat = { mode: 'primary', ...persona, permission };
    return {
      args: [
        ...['run', '--pure', '--format', 'json', '--title', 'council', '--agent', 'council'],
        // Its events do not say which model is unknown or that it waits for a quota; its log does.
        ...['--print-logs', '--log-level', 'ERROR'],
        ...modelArgs('-m', agent),
        ...agent.args,
      ],
      input,
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ agent: { council: seat } }) },
      files: personaFile(system),
    };
  },
  read: ({ stdout, stderr }) => {
    const events = parseLines(stdout);
    const parts = (type: string): Json[] =>
      events.filter((event) => event.text('type') === type).map((event) => event.object('part'));
    const steps = parts('step_finish');
    const tokens = steps.map((step) => step.object('tokens'));
    const usage =
      steps.length === 0
        ? null
        : {
            model: null,
            inputTokens: sum(
              tokens.flatMap((count) => [
                count.number('input'),
                count.object('cache').number('read'),
                count.object('cache').number('write'),
              ]),
            ),
            outputTokens: sum(tokens.flatMap((count) => [count.number('output'), count.number('reasoning')])),
            costUsd: sum(steps.map((step) => step.number('cost'))),
          };
    const error = events.findLast((event) => event.text('type') === 'error')?.object('error');
    if (error) return readError(error, stderr, usage);
    const text = parts('text').map((part) => part.text('text') ?? '');
    // It tries again for a minute or more; the log is all there is when the time is up before.
    const throttled = /AI_APICallError: [^"\n]*\b(?:429|rate.?limit|too many requests|quota)\b[^"\n]*/i.exec(
      stderr,
    )?.[0];
    if (text.length === 0 && throttled !== undefined) return failed('rate-limit', throttled, usage);
    return answered(text.join('\n\n'), usage);
  },
};

function readError(
  error: Json,
  stderr: string,
  usage: ReturnType<typeof answered>['usage'],
): ReturnType<typeof failed> {
  const name = error.text('name') ?? '';
  const data = error.object('data');
  const reason = data.text('message') ?? (name || 'no reason given');
  const logged = /\b(?:ProviderModelNotFoundError|ProviderInitError|ProviderAuthError)\b: [^"\n)]*/.exec(
    stderr,
  )?.[0];
  if (name === 'ContentFilterError') return failed('refusal', reason, usage);
  if (name === 'ProviderAuthError') return failed('config', `${name}: ${reason}`, usage);
  if (name === 'UnknownError' && logged !== undefined) return failed('config', logged, usage);
  const status = data.number('statusCode');
  const reading = failed(kindOfStatus(status), reason, usage, status);
  const seconds = Number(data.object('responseHeaders').text('retry-after') ?? NaN);
  if (reading.failure?.kind === 'rate-limit' && seconds >= 0) reading.failure.retryAfterMs = seconds * 1000;
  return reading;
}
