import { expect, it, vi } from 'vitest';
import type { App } from '../../../src/core/app/app.ts';
import type { StartInput } from '../../../src/core/app/input/council.ts';
import { readQuestion } from '../../../src/core/app/question.ts';

const read = (ask: App['ask'], input: object, env = {}): Promise<{ topic: string }> =>
  readQuestion({ ask, env } as App, { option: [], recuse: [], files: [], ...input } as unknown as StartInput);

it('asks a person for the question that was not given, in their language', async () => {
  const ask = vi.fn<NonNullable<App['ask']>>(async () => ' Build or buy? ');
  expect(await read(ask, {}, { LANG: 'fr_FR.UTF-8' })).toMatchObject({
    topic: 'Build or buy?',
    brief: 'Build or buy?',
  });
  expect(ask.mock.calls).toEqual([['Votre question : ']]);
});

it('takes no answer for no question, and asks for none where a council is to go on', async () => {
  await expect(read(async () => '', {})).rejects.toThrow('A council needs a question.');
  await expect(read(undefined, {})).rejects.toThrow('A council needs a question.');
  const ask = vi.fn<NonNullable<App['ask']>>(async () => 'Build?');
  await expect(read(ask, { resume: true })).rejects.toThrow('No council is active.');
  expect(ask).not.toHaveBeenCalled();
});
