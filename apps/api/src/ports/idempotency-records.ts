/** Idempotency records: answers for repeated calls (S36). Shared by all nodes. */
export type IdempotencyRecords = {
  /**
   * Claims a name for one execution of a call; at most one holder has it at a time.
   * @param name the caller and their idempotency key
   * @param asked digest of the request
   * @returns `answer`: the first answer; `other`: the name belongs to another request; `busy`: a
   *   call is in progress
   */
  claim(name: string, asked: string): Promise<Claim>;
  /** Deletes records older than a day. */
  sweep(): Promise<void>;
};

export type Claim =
  | { kind: 'mine'; store(answer: string): Promise<void>; release(): Promise<void> }
  | { kind: 'answer'; answer: string }
  | { kind: 'other' | 'busy' };
