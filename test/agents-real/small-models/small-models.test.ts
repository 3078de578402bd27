import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { splitParts } from '../../../src/core/council/ledger/text/spoken-words.ts';
import type { Contribution } from '../../../src/core/council/state/state.ts';
import { newProject } from '../../helpers/cli.ts';
import type { Project } from '../../helpers/cli.ts';
import type { Ran } from '../../helpers/documents.ts';
import { holds } from '../../helpers/said-in.ts';
import { addAgent, addSpeaker } from '../../helpers/speakers.ts';
import { theArchive } from '../../helpers/tries.ts';
import type { Models } from './install.ts';
import { serveGemma } from './serve.ts';
import { TOPICS } from './topics.ts';

/** `MODELS_RECORD=FOLDER` plays all of them and keeps what was said and read: how the fixture of small models is made. */
const KEPT = process.env.MODELS_RECORD;
const PLAYED = KEPT === undefined ? TOPICS.slice(0, 3) : TOPICS;
const HOUR = 3_600_000;
const PERSONA = 'You weigh what can be proved, and you follow the form.';

/** What `run --dry-run` tells of the first prompts. */
interface DryRun {
  table: { prompt: { text: string } }[];
}

async function seatThree(project: Project, models: Exclude<Models, { missing: string }>, third: string) {
  const keys = { timeout: '10m', repair: 1 };
  project.env.LLM_USER_PATH = join(project.outside, 'llm');
  const program = join(import.meta.dirname, 'small-llm.py');
  const smol = { runner: 'command', command: [models.python, program, '180'], env: ['LLM_USER_PATH'] };
  addAgent(project, 'smol', { ...keys, ...smol }, PERSONA);
  const baseUrl = await serveGemma(models);
  const gemma = { runner: 'model', model: 'openai-compatible/gemma3', baseUrl, max_tokens: 256 };
  addAgent(project, 'gemma', { ...keys, ...gemma }, PERSONA);
  const say = `position: ${third}\nconfidence: 0.7\n\nThe smaller step can be undone within a week.\n`;
  addSpeaker(project, 'third', { any: { say } });
}

const isRead = ({ position, vote }: Contribution): boolean => position !== undefined || vote !== undefined;

/** Whether one part of a text holds what was recorded of it, as the only thing that it says of it. */
const isHeld = (said: Contribution): boolean => splitParts(said).some((part) => holds(part, said));

/** How many answers of a model were read, added to when asked once more, and never came. */
function figuresOf(project: Project, id: string): string {
  const { contributions, absences } = theArchive(project);
  const own = contributions.filter(({ by }) => by === id);
  const added = own.filter(({ parts = [] }) => parts.length > 1);
  const failed = absences.filter(({ participant }) => participant === id);
  return `${id}: ${own.length} answers, ${own.filter(isRead).length} read, ${added.length} added to, ${failed.length} failed`;
}

describe('real models that hardly follow a form', () => {
  it.for(PLAYED)('decide nothing that nobody said: %s', { timeout: HOUR }, async (topic, context) => {
    const [question, third, options = []] = topic;
    const models = inject('models');
    if ('missing' in models) return context.skip(`small models: ${models.missing}`);
    const project = await newProject();
    await seatThree(project, models, third);
    const args = [
      ...['run', question, '--agents', 'smol,gemma,third', '--coordinator', 'none', '--json'],
      ...options.flatMap((option) => ['--option', option]),
    ];
    const { table } = (await project.council<DryRun>([...args, '--dry-run'])).json;
    const { code, stderr } = await project.council<Ran>(args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    console.log(`${figuresOf(project, 'smol')}; ${figuresOf(project, 'gemma')}`);

    const { contributions, absences, meta } = theArchive(project);
    if (KEPT !== undefined) {
      fs.mkdirSync(KEPT, { recursive: true });
      const kept = { question, options, decision: meta.decision, contributions, absences };
      fs.writeFileSync(join(KEPT, `${TOPICS.indexOf(topic) + 1}.json`), JSON.stringify(kept, null, 2));
    }
    const read = contributions.filter(isRead);
    const unsaid = read.filter((said) => !isHeld(said));
    expect(unsaid.map(({ by, phase, vote, position, text }) => [by, phase, vote, position, text])).toEqual(
      [],
    );
    // What the prompt says of a field is nobody's word, though small models like to give it back.
    const ofPrompt = table[0]!.prompt.text.slice(table[0]!.prompt.text.lastIndexOf(question));
    const words = contributions.flatMap(({ position = [], blocking = [] }) => [position, blocking].flat());
    const isLong = (said: string) => said.split(' ').length > 3;
    expect(
      words.filter((said) => isLong(said) && !options.includes(said) && ofPrompt.includes(said)),
    ).toEqual([]);
    const { decision } = meta;
    const holders = new Set(
      read.filter(({ position }) => position === decision?.position).map(({ by }) => by),
    );
    // A position that led blind stands alone where the others were heard and stated none.
    if (decision?.decided === true) expect(holders.size).toBeGreaterThan(0);
  });
});
