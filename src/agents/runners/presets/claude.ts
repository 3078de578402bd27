// Preset for Claude Code: command line, persona and reading its output.
import type { FailureKind } from '../speak.ts';
import type { Preset } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES } from './preset.ts';
import { answered, failed, kindOfStatus, parseJson, sum } from './reading.ts';
import type { Json } from './reading.ts';

/** Claude Code. `subtype` says "success" even in failures, so `is_error` and the status are what counts. */
export const claude: Preset = {
  program: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'claude /login',
  secrets: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_CUSTOM_HEADERS',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ],
  settings: [
    ...PROXIES,
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CONFIG_DIR',
    'CLOUD_ML_REGION',
    'AWS_PROFILE',
    'AWS_REGION',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ],
  plan: ({ agent, system, input, reads, writes = false, folder }) => ({
    args: [
      '-p',
      // No tools of its own but to read, and to write where it may, below its folder without being asked; none of the servers in
      // somebody's settings.
      ...[
        '--tools',
        writes ? 'Read,Grep,Glob,Edit,Write' : reads ? 'Read,Grep,Glob' : '',
        ...(writes ? ['--permission-mode', 'acceptEdits'] : []),
        '--strict-mcp-config',
        '--output-format',
        'json',
        '--no-session-persistence',
      ],
      ...(system === '' ? [] : ['--system-prompt-file', personaPath(folder)]),
      ...modelArgs('--model', agent),
      ...agent.args,
    ],
    input,
    // It would make a second call for a window title nobody sees, and try ten times where council tries again itself.
    env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1', CLAUDE_CODE_MAX_RETRIES: '2' },
    files: personaFile(system),
  }),
  read: ({ stdout, exitCode }) => {
    const result = parseJson(stdout);
    const text = result?.text('result') ?? null;
    if (result === null || text === null) {
      // What is no report of a turn tells most by its exit code and by stderr.
      // Longer than what is shown: a secret is found whole, and cut afterwards.
      const said = stdout
        .subarray(0, 32 * 1024)
        .toString('utf8')
        .trim();
      return exitCode !== 0 || said === ''
        ? answered(null, null)
        : failed('failed', `claude printed no result: ${said}`);
    }
    const usage = usageOf(result);
    const failing = exitCode !== 0 || result.flag('is_error');
    return failing
      ? failed(kindOf(result, text), text, usage, result.number('api_error_status'))
      : answered(text, usage);
  },
};

function kindOf(result: Json, text: string): FailureKind {
  if (result.text('stop_reason') === 'refusal') return 'refusal';
  if (/\blimit reached\b|\bhit your .{0,20}limit\b/i.test(text)) return 'rate-limit';
  if (/^(Not logged in|Invalid API key)/.test(text)) return 'config';
  return kindOfStatus(result.number('api_error_status'));
}

function usageOf(result: Json): ReturnType<typeof answered>['usage'] {
  const models = result.object('modelUsage').entries();
  const input = ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'];
  const mostUsed = models.toSorted(
    ([, a], [, b]) => (b.number('outputTokens') ?? 0) - (a.number('outputTokens') ?? 0),
  );
  return {
    model: mostUsed[0]?.[0] ?? null,
    inputTokens: sum(models.flatMap(([, model]) => input.map((key) => model.number(key)))),
    outputTokens: sum(models.map(([, model]) => model.number('outputTokens'))),
    costUsd: result.number('total_cost_usd'),
  };
}
