/**
 * audit — owns the audit log: what staff changed, whose pages they read, and what users did for their customers.
 * Promises: an entry commits with its change; entries are a chain of hashes in which a change or a gap shows; personal values
 * are erased with their account.
 * Listens to nothing.
 */
export { canonical, sha256 } from './canonical.ts';
export { actionsOf, eraseDetails, listEntries, listReads, staffActionsOf, verifyChain } from './read.ts';
export { type AuditNote, recordAction, recordChange, recordChanges, recordRead } from './record.ts';
