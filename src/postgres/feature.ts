// What the PostgreSQL room adds to the core: a store, and doctor checks for it.
import type { Feature } from '../core/app/feature.ts';
import { openDatabase } from './database.ts';

export const postgres: Feature = {
  openStore: openDatabase,
  doctorChecks: {
    store: async (app, place) => (await import('./doctor/database.ts')).checkUnfinishedMoves(app, place),
    database: async (app, place) => (await import('./doctor/database.ts')).checkDatabase(app, place),
  },
};
