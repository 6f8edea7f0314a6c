import type { NoLogsFinding, SearchedPlace } from '@fixpoint/contract/no-logs.ts';

/** Receives the results of searching one place. */
export type SearchSink = {
  /** Bytes of a place; consecutive chunks overlap. */
  at(place: SearchedPlace, where: string, chunk: Buffer): void;
  found(finding: NoLogsFinding): void;
  /** A place that could not be searched, so its content is unknown. */
  unread(where: string): void;
  counted(kind: 'file' | 'process', bytes: number): void;
};
