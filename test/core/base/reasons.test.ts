import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import { chooseModel } from '../../../src/core/agents/providers.ts';
import { createProgramFailure, explainNotFound } from '../../../src/core/agents/runners/failure-classes.ts';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { KNOWN_BEFORE, translateReason } from '../../../src/core/base/words/reasons.ts';
import { loadWords } from '../../../src/core/base/words/words.ts';

const say = (reason: string): string => translateReason(reason, loadWords('fr'));

/** What is English in a French reason, apart from names of settings, values in quotes, commands and paths. */
const English = /\b(?:an|the|of|or|is|are|it|its|must|from|to|with|that|has|but|any|in file|cannot|one)\b/i;
const own = (reason: string): string => reason.replace(/« [^»]*»|"(?:[^"\\]|\\.)*"?/g, '…');

/** What the reader of agent files says of one setting that has another type than it should. */
function refusalOf(yaml: string): string | undefined {
  try {
    parseAgent(`---\nname: ada\n${yaml}\n---\n`, '/p/agents/ada.md', 'project');
    return undefined;
  } catch (error) {
    if (error instanceof CouncilError) return error.message.replace('/p/agents/ada.md: ', '');
    throw error;
  }
}

describe('the reason why an agent is left out, in French', () => {
  const VALUES = ['-1', '5.5', 'yes no', '[1, 2]', '{ a: 1 }', 'true', '"a: b; c (d). e"', '[""]', '[A b]'];
  const KEYS = `command runner input timeout inactivity maxOutput repair budget prices permissions env
    capabilities args title emoji model tools baseUrl apiKey seat role priority runs-on lifecycle ttl
    concurrency risk quality cost max_depth rate_limit mcp_servers provider group`.split(/\s+/);
  const SETTINGS = [
    ...KEYS.flatMap((key) => VALUES.map((value) => `council: { ${key}: ${value} }`)),
    ...VALUES.flatMap((value) => [
      `council: { budget: { usd: ${value} } }`,
      `council: { prices: { input: ${value}, output: 1 } }`,
    ]),
    'council: { ttl: 5m }',
    'council: { runner: acp }',
    'council: { prices: { input: 1 } }',
    'council: 5',
  ];
  const refusals = new Set(SETTINGS.map(refusalOf).filter((one) => one !== undefined));

  it('is met in all its forms', () => {
    expect(refusals.size).toBeGreaterThan(100);
  });

  it.each([...refusals])('%s', (refusal) => {
    expect(own(say(refusal))).not.toMatch(English);
    // What stands in the file is told as it stands.
    const [, found] = /(".*)\.$/.exec(refusal.split(', but is ')[1] ?? '') ?? [];
    if (found !== undefined) expect(say(refusal)).toContain(found);
  });

  it.each([
    'neither "name" nor the file\'s name "—" can be an agent\'s id.',
    'the front matter must be a mapping of keys to values.',
    'the front matter that opens on line 1 is never closed.',
    'the front matter that opens on line 1 has 70000 bytes; at most 65536 are read.',
    'front matter in "toml" is not read.',
  ])('%s', (refusal) => expect(own(say(refusal))).not.toMatch(English));
});

describe('the reason why a launch brought no answer, in French', () => {
  const agent = { id: 'ada', runner: 'command' as const, command: ['./w'], model: null, apiKey: null };
  const problems = [
    { model: null },
    { model: 'nobody/x' },
    { model: 'openai-compatible/x', baseUrl: null },
    { model: 'openai/x', baseUrl: 'file:///etc' },
    { model: 'google/x', baseUrl: null, apiKey: null },
  ].map((one) => chooseModel({ baseUrl: null, apiKey: null, ...one }, {}));

  it.each([
    ...problems.map((one) => ('problem' in one ? one.problem : 'none')),
    ...['codex', './w'].flatMap((program) => {
      const { says, mend } = createProgramFailure(program, explainNotFound(program), {
        agent,
        ways: undefined,
      });
      return [says, mend, `${says}; ${mend}`];
    }),
    `rate limit (HTTP 429, no answer within 5m)${KNOWN_BEFORE}`,
    'not logged in (exit code 1); log in with: ./w (start it once by hand). It said: "hello"',
    'paused: 3 launches failed in a row: exit code 3; ask it at once with: "council retry ada"',
    'set the variable GOOGLE_API_KEY or GEMINI_API_KEY',
    'set the variable that holds its API key, or log in with: ./w (start it once by hand)',
    'printed nothing that can be read',
    'printed nothing but its reasoning',
    'printed nothing but the empty form',
    'its launches ended without a result',
    'ollama needs a model: write "model: llama3.2" or the like',
    'openai answered 500 (model "gpt" at "http://127.0.0.1"): "no answer"',
    "the council's budget of 100 tokens is spent",
    "a launch may take $0.50, more than is left of ada's budget of $0.20",
    'With this contribution of 5000 bytes the council would be too large; the limit is 1000 (16 MiB).',
  ])('%s', (reason) => expect(own(say(reason))).not.toMatch(English));

  it('leaves the words of programs as they are', () => {
    expect(say('exit code 3: no answer')).toBe('code de sortie 3 : no answer');
    expect(say('printed nothing but a complaint: rate limit (HTTP 429)')).toBe(
      'n’a écrit qu’un message d’erreur : rate limit (HTTP 429)',
    );
    expect(say('ended by SIGTERM: interrupted; no answer')).toBe(
      'arrêté par SIGTERM : interrupted; no answer',
    );
    expect(say('"council.title" must be a text, but is the number 5.')).toBe(
      '« council.title » devrait être un texte, et non le nombre 5.',
    );
  });
});
