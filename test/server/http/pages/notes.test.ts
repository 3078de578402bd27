import { expect, it } from 'vitest';
import { createOneTimeNotes } from '../../../../src/server/http/pages/seat.ts';

it('shows a note once, to the session that it was left for', () => {
  const notes = createOneTimeNotes<string>();
  const id = notes.leave('ada', 'Recorded.');
  expect(notes.take('ben', id)).toBeNull();
  expect(notes.take('ada', undefined)).toBeNull();
  expect(notes.take('ada', id)).toBe('Recorded.');
  expect(notes.take('ada', id)).toBeNull();
});

it('keeps a thousand, and lets go of the oldest', () => {
  const notes = createOneTimeNotes<number>();
  const ids = Array.from({ length: 1001 }, (_, at) => notes.leave('ada', at));
  expect([0, 1, 1000].map((at) => notes.take('ada', ids[at]))).toEqual([null, 1, 1000]);
});
