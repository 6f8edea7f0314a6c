/**
 * block — owns the block list: who may not buy again after their account was closed for abuse.
 * Promises: stores keyed hashes alone; an entry holds until its end, also after the closed account was erased.
 * Listens to nothing.
 */
export {
  type BlockedKind,
  type BlockList,
  createBlockList,
  eraseBlockReasons,
  removeBlock,
  unblock,
} from './block-list.ts';
