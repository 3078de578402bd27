import { describe, it } from 'vitest';
import { acp, playDebate } from './debate.ts';
import { newLab } from './lab.ts';
import { script } from './speech.ts';

const COMMANDS = [
  ['opencode', ['opencode', 'acp']],
  ['gemini', ['gemini', '--acp', '--skip-trust']],
] as const;

describe('a whole debate over the Agent Client Protocol', () => {
  it.for(COMMANDS)('%s, with itself', async ([kind, command], context) => {
    const said = script(['ada', 'ben', 'cleo']);
    const lab = await newLab(context, [kind], said.answer);
    const keys = acp(kind, ...command);
    await playDebate(lab, said, { ada: keys, ben: keys, cleo: keys }, 'cleo');
  });
});
