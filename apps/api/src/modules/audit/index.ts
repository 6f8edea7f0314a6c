/**
 * audit — owns the audit log: what staff changed, and whose pages they read.
 * Promises: an entry commits with its change; entries are a chain of hashes in which a change or a gap shows; personal values
 * are erased with their account.
 * Listens to nothing.
 */
export { canonical, sha256 } from './canonical.ts';
export { eraseDetails, listEntries, listReads, staffActionsOf, verifyChain } from './read.ts';
export { type AuditNote, recordChange, recordRead } from './record.ts';
