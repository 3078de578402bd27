// Which end-to-end tests are played on PostgreSQL as well.

/** By the name of their file: each plays another part of council, and none looks into the files of a project. */
export const ON_POSTGRES = [
  'agents-register',
  'context',
  'council-channel',
  'debate',
  'french',
  'ledger',
  'reservations',
  'rules',
  'tasks-joined',
  'tasks-roles',
];
