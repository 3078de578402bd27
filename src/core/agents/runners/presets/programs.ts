// Names, fixes and environment variables of each agent program, as data.
import type { PresetName } from '../../runner-kind.ts';
import type { ProgramRemedies } from '../failure-classes.ts';

/** Facts about a program, apart from its arguments and output. */
export interface ProgramFacts extends ProgramRemedies {
  /** Its name on PATH; `council.command` of an agent file overrides it. */
  program: string;
  /** Variables that may contain a key or a token: passed to this program, and never shown. */
  secrets: readonly string[];
  /** Variables for its settings or servers: passed to this program. */
  settings: readonly string[];
}

/** Proxy variables, passed to all programs. */
export const PROXIES = 'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy'.split(' ');

/** Codex reads files by commands, which its sandbox keeps from writing: these flags disable them. */
export const CODEX_WITHOUT_FILES = ['shell_tool', 'unified_exec', 'view_image'].flatMap((tool) => [
  '-c',
  `features.${tool}=false`,
]);

export const GEMINI_READING = 'glob grep_search list_directory read_file read_many_files'.split(' ');
export const GEMINI_WRITING = ['replace', 'write_file'];
/** Gemini's other tools that plan mode would allow or could enable: its own agents and modes, and the web. */
export const GEMINI_OTHER =
  'activate_skill ask_user cli_help codebase_investigator enter_plan_mode exit_plan_mode get_internal_docs google_web_search invoke_agent run_shell_command save_memory web_fetch write_todos'.split(
    ' ',
  );

/** Codex's default: files with secrets stay closed. */
const READ = { '*': 'allow', '*.env': 'deny', '*.env.*': 'deny', '*.env.example': 'allow' };
export const OPENCODE_READING = { read: READ, grep: 'allow', glob: 'allow', list: 'allow' };

export const programs: Record<PresetName, ProgramFacts> = {
  claude: {
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
  },
  codex: {
    program: 'codex',
    install: 'npm install -g @openai/codex',
    login: 'codex login',
    secrets: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'OPENAI_API_KEY'],
    settings: [...PROXIES, 'CODEX_HOME', 'CODEX_CA_CERTIFICATE', 'OPENAI_BASE_URL'],
  },
  gemini: {
    program: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    login: 'gemini',
    secrets: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    settings: [
      ...PROXIES,
      'GEMINI_CLI_HOME',
      'GEMINI_MODEL',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GOOGLE_CLOUD_LOCATION',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_GEMINI_BASE_URL',
      'GOOGLE_GENAI_USE_GCA',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_VERTEX_BASE_URL',
    ],
  },
  opencode: {
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
  },
  openclaw: {
    program: 'openclaw',
    install: 'npm install -g openclaw',
    login: 'openclaw configure',
    models: 'openclaw models list',
    secrets: [
      'ANTHROPIC_API_KEY',
      'GEMINI_API_KEY',
      'MISTRAL_API_KEY',
      'OPENAI_API_KEY',
      'OPENCLAW_GATEWAY_TOKEN',
      'OPENROUTER_API_KEY',
    ],
    settings: [...PROXIES, 'OPENCLAW_CONFIG_PATH', 'OPENCLAW_HOME', 'OPENCLAW_PROFILE', 'OPENCLAW_STATE_DIR'],
  },
  ollama: {
    program: 'ollama',
    install: 'see https://ollama.com/download',
    login: 'ollama signin',
    models: 'ollama list',
    secrets: ['OLLAMA_API_KEY'],
    settings: [...PROXIES, 'OLLAMA_HOST', 'OLLAMA_MODELS', 'OLLAMA_NO_CLOUD'],
  },
  llm: {
    program: 'llm',
    install: 'pipx install llm',
    login: 'llm keys set NAME',
    models: 'llm models',
    secrets: [
      'ANTHROPIC_API_KEY',
      'GEMINI_API_KEY',
      'LLM_GEMINI_KEY',
      'LLM_MISTRAL_KEY',
      'MISTRAL_API_KEY',
      'OPENAI_API_KEY',
      'OPENROUTER_KEY',
    ],
    settings: [...PROXIES, 'LLM_MODEL', 'LLM_USER_PATH', 'OLLAMA_HOST', 'OPENAI_BASE_URL'],
  },
};
