import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from 'vitest';
import type { CouncilError } from '../../../../src/core/base/errors.ts';
import { parseMode } from '../../../../src/core/council/state/mode.ts';
import { PHASES } from '../../../../src/core/council/state/allowed-values.ts';
import { expectLinear } from '../../../helpers/growth.ts';

const DIR = join(import.meta.dirname, '../../../../templates/modes');
const shipped = (name: string) =>
  parseMode(readFileSync(join(DIR, `${name}.md`), 'utf8'), join(DIR, `${name}.md`));

/** A mode file that is right except for what a test changes. */
function modeText(head: string, body = '## COLLECT\n\nSpeak.\n\n## SYNTHESIZE\n\nSum up.\n'): string {
  return `---\n${head}\n---\n\n${body}`;
}
const SHORT = 'phases: [COLLECT, SYNTHESIZE]';

function failure(text: string, path = 'modes/own.md'): CouncilError {
  try {
    parseMode(text, path);
  } catch (error) {
    return error as CouncilError;
  }
  throw new Error('nothing was refused');
}

describe('the shipped modes', () => {
  const SHORTER: Record<string, string[]> = {
    synthesis: ['COLLECT', 'SYNTHESIZE'],
    rank: ['COLLECT', 'RESOLVE', 'SYNTHESIZE'],
  };
  const names = ['analysis', 'check', 'debate', 'prd', 'rank', 'review', 'synthesis'];

  it('are the seven that are documented, and that of council review', () => {
    expect(readdirSync(DIR).sort()).toEqual([...names, 'code'].sort().map((name) => `${name}.md`));
  });

  it('have the same structure in both languages also where council review reads them', () => {
    const { prompts, phases } = shipped('code');
    expect(phases).toEqual(['COLLECT', 'CHALLENGE', 'SYNTHESIZE']);
    for (const phase of ['COLLECT', 'CHALLENGE'] as const) {
      const outline = (text: string) => [text.match(/^(\d\.|### \w+)/gm), text.match(/`F\d: \w+/g)];
      expect(outline(prompts.fr[phase]!)).toEqual(outline(prompts.en[phase]!));
      expect(prompts.fr[phase]).not.toBe(prompts.en[phase]);
    }
  });

  it.each(names)('%s has a full prompt for each of its phases, in both languages', (name) => {
    const mode = shipped(name);
    expect(mode.name).toBe(name);
    expect(mode.description).not.toBe('');
    expect(mode.phases).toEqual(SHORTER[name] ?? [...PHASES]);
    expect(mode.timeout).toBe(3_600_000);
    expect(mode.quorum).toBeGreaterThan(0);
    expect(mode.quorum).toBeLessThanOrEqual(1);
    for (const phase of mode.phases) {
      const [en, fr] = [mode.prompts.en[phase]!, mode.prompts.fr[phase]!];
      expect(en.length, `${name} ${phase}`).toBeGreaterThan(350);
      expect(fr.length, `${name} ${phase} (fr)`).toBeGreaterThan(350);
      expect(fr).not.toBe(en);
      // The same structure in both: as many points and headings, and the same code in them.
      const outline = (text: string) => [
        text.match(/^(\d\.|###) /gm),
        [...new Set(text.match(/`[a-z]+(: true)?`/g))].sort(),
      ];
      expect(outline(fr)).toEqual(outline(en));
    }
  });

  it('allow early convergence in debate and analysis only', () => {
    expect(names.filter((name) => shipped(name).earlyConvergence)).toEqual(['analysis', 'debate']);
  });

  it('say how to think and leave the form to the form, and ask for what the synthesis must not lose', () => {
    for (const name of names) {
      const { prompts, phases } = shipped(name);
      for (const phase of phases)
        for (const lang of ['en', 'fr'] as const)
          expect(prompts[lang][phase], `${name} ${phase} ${lang}`).not.toMatch(
            /`(?:position|confidence|agreed|done|blocking|vote|approve|> )|front matter/i,
          );
      // A check decides nothing.
      if (name === 'check') expect(prompts.en.SYNTHESIZE).toContain('Give no verdict');
      else
        expect(prompts.en.SYNTHESIZE).toMatch(
          /### Decision[^]*### Minority positions[^]*### Unanswered challenges[^]*### Next actions/,
        );
    }
  });
});

describe('parseMode', () => {
  it('reads a mode of a project, with defaults for what it leaves out', () => {
    expect(parseMode(modeText(SHORT), '/p/modes/quick-look.md')).toEqual({
      name: 'quick-look',
      description: '',
      phases: ['COLLECT', 'SYNTHESIZE'],
      timeout: 3_600_000,
      earlyConvergence: false,
      quorum: 0.5,
      anonymous: false,
      rule: 'none',
      tie: null,
      ranks: null,
      repeat: 1,
      shown: 24_576,
      prompts: {
        en: { COLLECT: 'Speak.', SYNTHESIZE: 'Sum up.' },
        fr: { COLLECT: 'Speak.', SYNTHESIZE: 'Sum up.' },
      },
    });
  });

  it('reads every key, with CRLF, other keys and headings in small letters', () => {
    const head = `description: " Quick. "\n${SHORT}\ntimeout: 90s\nearlyConvergence: true\nquorum: 1\nanonymous: true\nrule: unanimity\nrepeat: 3\nshown: all\nauthor: me`;
    const text = modeText(head, '## collect\n\nSpeak.\n\n## Synthesize ##\nSum up.\n').replaceAll(
      '\n',
      '\r\n',
    );
    const mode = parseMode(text, 'own.md');
    expect(mode).toMatchObject({
      description: 'Quick.',
      timeout: 90_000,
      earlyConvergence: true,
      quorum: 1,
      anonymous: true,
      rule: 'unanimity',
      repeat: 3,
      shown: 'all',
    });
    expect(mode.prompts.en).toEqual({ COLLECT: 'Speak.', SYNTHESIZE: 'Sum up.' });
  });

  it('takes a prompt that exists in one language only for both', () => {
    const body = '## COLLECT (fr)\nParlez.\n## COLLECT\nSpeak.\n## SYNTHESIZE (fr)\nRésumez.\n';
    const { prompts } = parseMode(modeText(SHORT, body), 'own.md');
    expect(prompts.en).toEqual({ COLLECT: 'Speak.', SYNTHESIZE: 'Résumez.' });
    expect(prompts.fr).toEqual({ COLLECT: 'Parlez.', SYNTHESIZE: 'Résumez.' });
  });

  it('leaves fenced code and other headings inside the prompt', () => {
    const inside =
      'Like this:\n\n````md\n## SYNTHESIZE\n```\n## COLLECT\n````\n\n~~~\n## SYNTHESIZE\n~~~\n\n## Findings\n\nAs above.';
    const { prompts } = parseMode(
      modeText(SHORT, `# Title\n\nIntro.\n\n## COLLECT\n\n${inside}\n\n## SYNTHESIZE\n\nSum up.`),
      'own.md',
    );
    expect(prompts.en).toEqual({ COLLECT: inside, SYNTHESIZE: 'Sum up.' });
  });

  it.each([
    ['no phases', 'timeout: 1h', 'phases'],
    ['an unknown phase', 'phases: [COLLECT, VOTE, SYNTHESIZE]', 'phases'],
    ['no COLLECT', 'phases: [CHALLENGE, SYNTHESIZE]', 'phases'],
    ['no SYNTHESIZE', 'phases: [COLLECT, CHALLENGE]', 'phases'],
    ['a repeated phase', 'phases: [COLLECT, COLLECT, SYNTHESIZE]', 'phases'],
    ['phases out of order', 'phases: [COLLECT, RESOLVE, CHALLENGE, SYNTHESIZE]', 'phases'],
    ['phases that are no list', 'phases: COLLECT', 'phases'],
    ['an empty list', 'phases: []', 'phases'],
    ['a bad timeout', `${SHORT}\ntimeout: soon`, 'timeout'],
    ['a timeout of the wrong type', `${SHORT}\ntimeout: [1h]`, 'timeout'],
    ['a quorum above 1', `${SHORT}\nquorum: 50`, 'quorum'],
    ['a quorum that is no number', `${SHORT}\nquorum: .nan`, 'quorum'],
    ['a yes for true', `${SHORT}\nanonymous: "yes"`, 'anonymous'],
    ['a number for a description', `${SHORT}\ndescription: 5`, 'description'],
    ['a misspelled key', `${SHORT}\nearly_convergence: true`, 'early_convergence'],
  ])('refuses %s, naming path, key, what was expected and what was received', (_, head, key) => {
    const error = failure(modeText(head));
    expect(error.code).toBe('invalid_mode');
    expect(error.message).toMatch(/^modes\/own\.md: /);
    expect(error.details).toMatchObject({ path: 'modes/own.md', key });
    expect(error.details.expected).toBeTruthy();
    expect(error.details.received).toBeTruthy();
    expect(error.message).toContain(String(error.details.expected));
    expect(error.message).toContain(String(error.details.received));
    expect(error.hint).toBeTruthy();
  });

  it('refuses a phase without a prompt', () => {
    for (const body of [
      '## COLLECT\n\nSpeak.\n',
      '## COLLECT\nSpeak.\n## SYNTHESIZE\n\n',
      '## COLLECT\n```\nopen\n## SYNTHESIZE\nx',
    ]) {
      expect(failure(modeText(SHORT, body)).message).toContain(
        '"## SYNTHESIZE" must be a section with the prompt',
      );
    }
  });

  it('refuses headings that look like a phase but are not understood', () => {
    const heading = (line: string) =>
      failure(modeText(SHORT, `## COLLECT\nSpeak.\n${line}\nx\n## SYNTHESIZE\nSum up.`));
    expect(heading('## COLLECT (de)').message).toContain('"## COLLECT (de)"');
    expect(heading('## Collect: how').code).toBe('invalid_mode');
    expect(heading('## COLLECT').message).toContain('one section per phase and language');
  });

  it('refuses a file whose name cannot be a mode, and front matter that cannot be read', () => {
    expect(failure(modeText(SHORT), 'modes/My Mode.md')).toMatchObject({
      code: 'invalid_mode',
      details: { key: 'file name' },
    });
    expect(failure('---\nphases: [\n---\n')).toMatchObject({
      code: 'invalid_mode',
      message: expect.stringContaining('modes/own.md') as string,
    });
    expect(failure('---js\n{}\n---\n').code).toBe('invalid_mode');
  });

  it('is linear in long files', async () => {
    await expectLinear('headings', 12_500, (n) =>
      parseMode(modeText(SHORT, '## COLLECT\n' + '## x\n```\n'.repeat(n) + '\n## SYNTHESIZE\nx'), 'own.md'),
    );
  });
});
