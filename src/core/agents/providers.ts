// Model providers: address, model and key for `model: PROVIDER/NAME`, and who makes which models.
import { PRESETS } from './runner-kind.ts';

/** A model vendor, or a server that speaks like one: where it is, and which variables usually hold its key. */
interface Provider {
  /** Null where the agent file must say it. */
  baseUrl: string | null;
  /** The first one that is set counts; none for servers that need no key. */
  keys: readonly string[];
  /** The variable by which the provider's own clients are pointed at another server, and the path that they append to its value. */
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

/** Model servers that people run on their own machine: they need no key and have a usual address. */
export const LOCAL_SERVERS = PROVIDER_NAMES.filter(
  (name) => PROVIDERS[name].baseUrl !== null && PROVIDERS[name].keys.length === 0,
);

/** What an agent's file says of its model. */
interface ModelSettings {
  model: string | null;
  baseUrl: string | null;
  apiKey: string | null;
}

/** Which model to ask, where, and with which key (null for none). */
export interface ModelChoice {
  provider: ProviderName;
  model: string;
  baseUrl: string;
  key: string | null;
}

/** Why a `model` agent cannot be asked; `key` problems may be one of this machine only. */
interface ModelProblem {
  about: 'model' | 'baseUrl' | 'key';
  problem: string;
}

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
  const names = keyNames(agent);
  const key = names.map((name) => env[name] ?? '').find((value) => value !== '') ?? null;
  if (key === null && names.length > 0)
    return { about: 'key', problem: `there is no key: the variable ${names.join(' or ')} is not set` };
  return { provider, model, baseUrl: baseUrl.replace(/\/+$/, ''), key };
}

/** The variables that may hold the key of a `model` agent: the one its file names, else those usual for its provider. */
export function keyNames({ model, apiKey }: Pick<ModelSettings, 'model' | 'apiKey'>): readonly string[] {
  const provider = model?.trim().split('/')[0] ?? '';
  if (apiKey !== null) return [apiKey];
  return isProvider(provider) ? PROVIDERS[provider].keys : [];
}

/** The variable that may name another address of this provider, where the agent's file names none. */
export function findAddressVariable({
  model,
  baseUrl,
}: Pick<ModelSettings, 'model' | 'baseUrl'>): string | undefined {
  const provider = model?.trim().split('/')[0] ?? '';
  const settings: Provider | undefined = isProvider(provider) ? PROVIDERS[provider] : undefined;
  return baseUrl === null ? settings?.address?.variable : undefined;
}

export const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** The address from the provider's variable, read as its own clients do: most append a path, and Ollama's may be a host alone. */
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
