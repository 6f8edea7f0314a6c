/** What calls were answered, for whoever asks the same again under the same name (S36). Shared by all nodes. */
export type IdempotencyRecords = {
  /**
   * Takes a name for one doing of a call; at most one holder has it at a time.
   * @param name who asks, and the key that he chose
   * @param asked what he asks for
   * @returns `answer`: what it was answered before; `other`: the name stands for something else; `busy`: another is at it
   */
  claim(name: string, asked: string): Promise<Claim>;
  /** Deletes what is older than a day. */
  sweep(): Promise<void>;
};

export type Claim =
  | { kind: 'mine'; keep(answer: string): Promise<void>; release(): Promise<void> }
  | { kind: 'answer'; answer: string }
  | { kind: 'other' | 'busy' };
