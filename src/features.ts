// The rooms beside the core, each with what it adds (core/feature.ts).
import type { Feature } from './app/feature.ts';
import { postgres } from './app/postgres.ts';
import { server } from './app/server.ts';
import { team } from './app/team.ts';

export const FEATURES: readonly Feature[] = [postgres, team, server];
