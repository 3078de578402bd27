// Presets for programs that print plain text: Ollama and `llm`.
import type { Preset } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES, withPersona } from './preset.ts';
import { shapes } from './shapes.ts';

/** Ollama: a model on this machine. The answer is plain text, the tokens stand on stderr. */
export const ollama: Preset = {
  program: 'ollama',
  install: 'see https://ollama.com/download',
  login: 'ollama signin',
  models: 'ollama list',
  secrets: ['OLLAMA_API_KEY'],
  settings: [...PROXIES, 'OLLAMA_HOST', 'OLLAMA_MODELS', 'OLLAMA_NO_CLOUD'],
  plan: ({ agent, system, input }) => {
    const [, model] = modelArgs('', agent);
    return {
      args: ['run', ...['--nowordwrap', '--hidethinking', '--verbose'], ...agent.args, model ?? ''],
      input: withPersona(system, input),
      ...(model === undefined
        ? { problem: 'ollama needs a model: write "model: llama3.2" or the like' }
        : {}),
    };
  },
  shape: shapes.ollama,
};

/** The `llm` program: plain text, the tokens on stderr. */
export const llm: Preset = {
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
  plan: ({ agent, system, input, folder }) => ({
    args: [
      ...['prompt', '--no-log', '--usage'],
      ...(system === '' ? [] : ['--system-fragment', personaPath(folder)]),
      ...modelArgs('-m', agent),
      ...agent.args,
    ],
    input,
    files: personaFile(system),
  }),
  shape: shapes.llm,
};
