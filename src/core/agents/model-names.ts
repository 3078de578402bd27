// What the models behind the presets and providers are called, and who makes them: by these names a model may tell what it is.
import { PROVIDER_NAMES } from './providers.ts';
import { PRESETS } from './runner-kind.ts';

const CALLED = [
  'Anthropic | Claude',
  'OpenAI | Open AI | ChatGPT | GPT | Codex | o1 | o3 | o4',
  'Google | DeepMind | Gemini | Gemma | Bard',
  'Mistral | Mixtral | Magistral | Devstral | Codestral | Ministral',
  'Meta AI | Llama | xAI | Grok | DeepSeek | Qwen | Alibaba Cloud | Moonshot AI | Kimi | Z.ai | GLM | MiniMax',
  'Microsoft | Copilot | Phi | Cohere | Amazon | Nvidia | Nemotron | IBM | Granite | Hugging Face | SmolLM',
].flatMap((maker) => maker.split(' | '));

/** "claude-sonnet-4-5", "Gemini 2.5 Pro": what stands behind a name of a model and belongs to it. */
const VERSION =
  '(?:[- ]?(?:v?\\d[\\w.:]*(?:-\\d+)*|opus|sonnet|haiku|fable|pro|ultra|flash|lite|mini|nano|turbo|large|medium|small|code|cli|coder|instruct|chat|oss|codex)(?![\\p{L}\\p{N}]))*';

/** Finds names of models and their makers, those in `also` included; whether a text means its author is not told by them. */
export function modelPattern(also: readonly string[]): RegExp {
  const plain = [...also, ...CALLED, ...PRESETS, ...PROVIDER_NAMES]
    .filter((name) => /[\p{L}\p{N}]{2}/u.test(name))
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(
    `(?<![\\p{sc=Latin}\\p{N}])(?:${plain.join('|')})${VERSION}(?![\\p{sc=Latin}\\p{N}])`,
    'giu',
  );
}
