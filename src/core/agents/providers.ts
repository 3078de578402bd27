// Model providers: address, model and key for `model: PROVIDER/NAME`, and patterns of model names.
import { PRESETS } from './runner-kind.ts';

/** A model vendor, or a server with a vendor's API: its address and the usual variables of its key. */
interface Provider {
  /** Null if the agent file must give it. */
  baseUrl: string | null;
  /** Variables of the key, the first one that is set counts; empty for servers without a key. */
  keys: readonly string[];
  /** The variable by which the provider's own clients select another server, and the path they append to it. */
  address?: { variable: string; path: string };
}

const PROVIDERS = {
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    keys: ['ANTHROPIC_API_KEY'],
    address: { variable: 'ANTHROPIC_BASE_URL', path: '/v1' },
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    address: { variable: 'GOOGLE_GEMINI_BASE_URL', path: '/v1beta' },
  },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', keys: ['MISTRAL_API_KEY'] },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    address: { variable: 'OPENAI_BASE_URL', path: '' },
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434/v1',
    keys: [],
    address: { variable: 'OLLAMA_HOST', path: '/v1' },
  },
  lmstudio: { baseUrl: 'http://127.0.0.1:1234/v1', keys: [] },
  'llama-cpp': { baseUrl: 'http://127.0.0.1:8080/v1', keys: [] },
  vllm: { baseUrl: 'http://127.0.0.1:8000/v1', keys: [] },
  'openai-compatible': { baseUrl: null, keys: [] },
} as const satisfies Record<string, Provider>;

type ProviderName = keyof typeof PROVIDERS;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];

/** Servers on the user's own machine: they need no key and have a default address. */
export const LOCAL_SERVERS = PROVIDER_NAMES.filter(
  (name) => PROVIDERS[name].baseUrl !== null && PROVIDERS[name].keys.length === 0,
);

/** The model settings of an agent's file. */
interface ModelSettings {
  model: string | null;
  baseUrl: string | null;
  apiKey: string | null;
}

/** The model to call, its address, and its key (null for none). */
export interface ModelChoice {
  provider: ProviderName;
  model: string;
  baseUrl: string;
  key: string | null;
}

/** Why a `model` agent cannot be called; `key` problems may affect only this machine. */
interface ModelProblem {
  about: 'model' | 'baseUrl' | 'key';
  problem: string;
}

/** How the problem begins that no variable with a key is set. */
export const NO_KEY = 'there is no key: the variable ';

/** Reads `model: PROVIDER/NAME`, `baseUrl` and the key's variable of a `model` agent. */
export function chooseModel(agent: ModelSettings, env: NodeJS.ProcessEnv): ModelChoice | ModelProblem {
  const [, provider, model] = /^([^/]+)\/(.+)$/s.exec(agent.model?.trim() ?? '') ?? [];
  const known = `PROVIDER/NAME with one of the providers ${PROVIDER_NAMES.join(', ')}`;
  if (provider === undefined || model === undefined || !isProvider(provider)) {
    const found = agent.model === null ? 'is missing' : `is ${JSON.stringify(agent.model)}`;
    return { about: 'model', problem: `"model" must be ${known}, but ${found}` };
  }
  const variable = findAddressVariable(agent);
  const baseUrl = agent.baseUrl ?? readAddress(provider, env) ?? PROVIDERS[provider].baseUrl;
  if (baseUrl === null || !isWebAddress(baseUrl)) {
    const found = baseUrl === null ? 'is missing' : `is ${JSON.stringify(baseUrl)}`;
    const example = 'for example http://127.0.0.1:8080/v1';
    const where = variable !== undefined && env[variable] ? variable : '"council.baseUrl"';
    return { about: 'baseUrl', problem: `${where} must be a web address, ${example}, but ${found}` };
  }
  const names = listKeyVariables(agent);
  const key = names.map((name) => env[name] ?? '').find((value) => value !== '') ?? null;
  if (key === null && names.length > 0)
    return { about: 'key', problem: `${NO_KEY}${names.join(' or ')} is not set` };
  return { provider, model, baseUrl: baseUrl.replace(/\/+$/, ''), key };
}

/** Returns the variables of a `model` agent's key: the one its file names, else its provider's usual ones. */
export function listKeyVariables({
  model,
  apiKey,
}: Pick<ModelSettings, 'model' | 'apiKey'>): readonly string[] {
  const provider = model?.trim().split('/')[0] ?? '';
  if (apiKey !== null) return [apiKey];
  return isProvider(provider) ? PROVIDERS[provider].keys : [];
}

/** Returns the variable that may override the provider's address, if the agent's file has none. */
export function findAddressVariable({
  model,
  baseUrl,
}: Pick<ModelSettings, 'model' | 'baseUrl'>): string | undefined {
  const provider = model?.trim().split('/')[0] ?? '';
  const settings: Provider | undefined = isProvider(provider) ? PROVIDERS[provider] : undefined;
  return baseUrl === null ? settings?.address?.variable : undefined;
}

export const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/**
 * Reads the provider's address variable like its own clients: most append a path; Ollama's may be only a
 * host.
 */
function readAddress(provider: ProviderName, env: NodeJS.ProcessEnv): string | null {
  const { address, baseUrl }: Provider = PROVIDERS[provider];
  const given = (address && env[address.variable]?.trim()) ?? '';
  if (!address || given === '') return null;
  const isHost = provider === 'ollama' && !given.includes('://');
  const port = isHost && !/:\d+$/.test(given) ? `:${URL.parse(baseUrl ?? '')?.port}` : '';
  const url = `${isHost ? 'http://' : ''}${given}${port}`.replace(/\/+$/, '');
  return url.endsWith(address.path) ? url : `${url}${address.path}`;
}

const isProvider = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name);

const CALLED = [
  'Anthropic | Claude',
  'OpenAI | Open AI | ChatGPT | GPT | Codex | o1 | o3 | o4',
  'Google | DeepMind | Gemini | Gemma | Bard',
  'Mistral | Mixtral | Magistral | Devstral | Codestral | Ministral',
  'Meta AI | Llama | xAI | Grok | DeepSeek | Qwen | Alibaba Cloud | Moonshot AI | Kimi | Z.ai | GLM | MiniMax',
  'Microsoft | Copilot | Phi | Cohere | Amazon | Nvidia | Nemotron | IBM | Granite | Hugging Face | SmolLM',
].flatMap((maker) => maker.split(' | '));

/** Matches the version after a model name: "claude-sonnet-4-5", "Gemini 2.5 Pro". */
const VERSION =
  '(?:[- ]?(?:v?\\d[\\w.:]*(?:-\\d+)*|opus|sonnet|haiku|fable|pro|ultra|flash|lite|mini|nano|turbo|large|medium|small|code|cli|coder|instruct|chat|oss|codex)(?![\\p{L}\\p{N}]))*';

/**
 * Returns a pattern for names of models and their makers, including those in `also`. A match does not mean
 * that the text is about its author.
 */
export function buildModelPattern(also: readonly string[]): RegExp {
  const plain = [...also, ...CALLED, ...PRESETS, ...PROVIDER_NAMES]
    .filter((name) => /[\p{L}\p{N}]{2}/u.test(name))
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(
    `(?<![\\p{sc=Latin}\\p{N}])(?:${plain.join('|')})${VERSION}(?![\\p{sc=Latin}\\p{N}])`,
    'giu',
  );
}
