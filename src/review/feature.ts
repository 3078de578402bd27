// What the review room adds to the core: how contributions to its mode are read.
import type { Feature } from '../core/app/feature.ts';

export const review: Feature = {
  modeReadings: { code: async () => (await import('./code-reading.ts')).codeReading },
};
