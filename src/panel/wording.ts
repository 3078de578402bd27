// Offline panel: how every contribution begins and ends.
import { says } from './says.ts';
import type { Language } from './says.ts';

/** The name a contribution gives itself, so that it is known where names are hidden. */
export const renderSpeakerOpening = (id: string): string => `**${id}**:`;

/** The closing line of every contribution. */
export const origin = (language: Language): string => `*${says(language).origin}*`;
