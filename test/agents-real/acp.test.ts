import { describe, it } from 'vitest';
import { acp, playDebate } from './debate.ts';
import { need, newLab } from './lab.ts';
import { script } from './speech.ts';

const COMMANDS = [
  ['opencode', ['opencode', 'acp']],
  ['gemini', ['gemini', '--acp', '--skip-trust']],
] as const;

describe('a whole debate over the Agent Client Protocol', () => {
  it.for(COMMANDS)('%s, with itself', async ([kind, command], context) => {
    need(context, kind);
    const said = script(['ada', 'ben', 'cleo']);
    const lab = await newLab(said.answer);
    const keys = acp(kind, ...command);
    await playDebate(lab, said, { ada: keys, ben: keys, cleo: keys }, 'cleo');
  });
});
