// Offline panel: loads a reviewer by its id.
import type { Reviewer, ReviewerId } from './reviewer.ts';

/** Loads a reviewer's analysers only when they are asked for. */
export async function loadReviewer(id: ReviewerId): Promise<Reviewer> {
  switch (id) {
    case 'consistency':
      return (await import('./consistency.ts')).consistency;
    case 'completeness':
      return (await import('./completeness.ts')).completeness;
    case 'structure':
      return (await import('./structure.ts')).structure;
    case 'precision':
      return (await import('./precision.ts')).precision;
  }
}
