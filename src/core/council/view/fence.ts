// Sections of a prompt, and fences for the brief, for each round, and for what only this prompt shows.
import { createFence, buildFence, MARKER_PREFIX } from '../../base/text.ts';
import type { Fence } from '../../base/text.ts';
import type { Council, CouncilState } from '../state/state.ts';

export type { Fence };

/** Fences the brief with its files; the same in every prompt of a council. */
export const createBriefFence = ({ state, brief }: Council): Fence =>
  createFence([state.conversationId], brief);

/**
 * Fences the texts of a round. The marker was drawn when they were revealed, so their authors cannot have known
 * it. In older councils and open rounds, the marker is one that occurs in none of these texts.
 */
export function createRoundFence(
  { state }: Council,
  round: number,
  texts: readonly { text: string }[],
): Fence {
  const drawn = state.reveals?.find((reveal) => reveal.tour === round)?.marker;
  const words = JSON.stringify(texts.map(({ text }) => text));
  const fence = drawn ? buildFence(MARKER_PREFIX + drawn) : createFence([state.conversationId, round], words);
  return createBreakingFence(fence);
}

/** Fences the ballot, challenges and facts. The same view has the same fence. */
export const createPromptFence = (
  { conversationId, tour, reveals = [] }: CouncilState,
  reader: string,
  shown: string,
): Fence => createBreakingFence(createFence([conversationId, reader, tour, reveals.at(-1)?.marker], shown));

/**
 * Breaks anything that looks like a marker in an author's text, since authors know the markers they have seen.
 * Inserts a character that a quote may leave out.
 */
export const breakMarkers = (text: string): string => text.replace(BREAKABLE, '$&`');

const createBreakingFence = (fence: Fence): Fence =>
  Object.assign((text: string) => fence(breakMarkers(text)), { marker: fence.marker });

const BREAKABLE = new RegExp(`${MARKER_PREFIX}[0-9a-f]{8}(?=[0-9a-f]{8})`, 'gi');

export function renderSection(heading: string, paragraphs: string[]): string {
  const filled = paragraphs.map((text) => text.trim()).filter((text) => text !== '');
  return filled.length > 0 ? [`## ${heading}`, ...filled].join('\n\n') : '';
}
