// The rooms beside the core and what each adds (core/app/feature.ts).
import type { Feature } from './core/app/feature.ts';
import { postgres } from './postgres/feature.ts';
import { review } from './review/feature.ts';
import { server } from './server/feature.ts';
import { team } from './team/feature.ts';

export const FEATURES: readonly Feature[] = [postgres, review, team, server];
