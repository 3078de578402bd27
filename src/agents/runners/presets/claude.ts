// Preset for Claude Code: command line, persona and reading its output.
import type { Preset } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES } from './preset.ts';
import { shapes } from './shapes.ts';

/**
 * Claude Code. It prints the result alone, or as the last of a list or of lines, as its user's settings have it. `subtype`
 * says "success" even in failures.
 */
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
  shape: shapes.claude,
};
