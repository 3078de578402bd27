// Preset for OpenCode: command line, configuration with the persona, and reading its output.
import type { Preset } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES } from './preset.ts';
import { shapes } from './shapes.ts';

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
  shape: shapes.opencode,
};
