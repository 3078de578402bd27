// Presets for programs that print plain text: Ollama and `llm`.
import type { FailureKind } from '../speak.ts';
import type { Preset, Printed, Reading } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES, withPersona } from './preset.ts';
import { failed, kindOfStatus } from './reading.ts';

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
  read: (printed) =>
    plainText(printed, {
      input: /^prompt eval count:\s+(\d+) token/m,
      output: /^eval count:\s+(\d+) token/m,
      kind: (said) => {
        const status = /^Error: (\d{3}) /.exec(said)?.[1];
        if (status !== undefined) return kindOfStatus(Number(status));
        return /file does not exist|not found|could not connect|connection refused/.test(said)
          ? 'config'
          : 'failed';
      },
    }),
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
  read: (printed) =>
    plainText(printed, {
      input: /^Token usage: .*?\b([\d,]+) input/m,
      output: /^Token usage: .*?\b([\d,]+) output/m,
      kind: (said) => {
        const status = /\bError code: (\d{3})\b/.exec(said)?.[1];
        if (status !== undefined) return kindOfStatus(Number(status));
        return /\bUnknown model\b|\bNo key found\b/.test(said) ? 'config' : 'failed';
      },
    }),
};

interface Clues {
  input: RegExp;
  output: RegExp;
  kind(said: string): FailureKind;
}

function plainText({ stdout, stderr, exitCode }: Printed, { input, output, kind }: Clues): Reading {
  const count = (found: RegExpExecArray | null): number | null =>
    found?.[1] === undefined ? null : Number(found[1].replaceAll(',', ''));
  const [inputTokens, outputTokens] = [count(input.exec(stderr)), count(output.exec(stderr))];
  const known = inputTokens !== null || outputTokens !== null;
  const usage = known ? { model: null, inputTokens, outputTokens, costUsd: null } : null;
  // A spinner may stand before it on the same line.
  const complaint = /(?<!\w)Error: .*/.exec(stderr)?.[0];
  if (exitCode !== 0 && exitCode !== null && complaint !== undefined) {
    return failed(kind(complaint), complaint, usage);
  }
  return { answer: stdout, usage, failure: null };
}
