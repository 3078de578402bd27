// What the review room adds to the core: the reader for contributions in the mode `code`.
import type { Feature } from '../core/app/feature.ts';

export const review: Feature = {
  modeReadings: { code: async () => (await import('./code-reading.ts')).codeReading },
};
