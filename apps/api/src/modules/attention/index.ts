/**
 * attention — owns the list of matters that somebody has to act on.
 * Promises: one row a matter, from when it was first seen until it is mended; nothing else raises an alarm.
 * Listens to nothing.
 */
export {
  attentionList,
  keepOpen,
  MOST_OF_A_KIND,
  mend,
  mendByWord,
  openKinds,
  openMatters,
  raise,
  renameSubject,
} from './attention.ts';
export { deadJob, retrySubject } from './retry.ts';
