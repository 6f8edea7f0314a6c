import type { DeviceSeen, HostAnswer, HostQuestion } from '@fixpoint/contract/agent.ts';

/** Timeout for the answer of a host. */
const ANSWER_MS = 8_000;

/**
 * Questions to VPN hosts and the callers that wait for answers. Held only in the memory of this node, for the duration of a
 * customer's call. Drops answers that nobody waits for.
 */
export function createHostQuestions(answerMs = ANSWER_MS) {
  const asked = new Map<string, Set<HostQuestion>>();
  /** Host of each question that some node may still wait for, by question ID. */
  const open = new Map<string, string>();
  const waiting = new Map<
    string,
    { hostId: string; settle(devices: readonly DeviceSeen[] | undefined): void }
  >();

  return {
    /** Resolves with the answer of the host, or undefined after the timeout. Call it before the question is sent. */
    answerOf(hostId: string, questionId: string): Promise<readonly DeviceSeen[] | undefined> {
      return new Promise(resolve => {
        const settle = (devices: readonly DeviceSeen[] | undefined) => {
          clearTimeout(timer);
          waiting.delete(questionId);
          resolve(devices);
        };
        const timer = setTimeout(settle, answerMs, undefined);
        waiting.set(questionId, { hostId, settle });
      });
    },
    /** Registers a question of any node. The host gets it with its next request to this node. */
    heard(hostId: string, question: HostQuestion): void {
      const questions = asked.get(hostId) ?? new Set();
      asked.set(hostId, questions.add(question));
      open.set(question.id, hostId);
      // Another node may have delivered it; after the timeout nobody waits for the answer.
      setTimeout(() => {
        open.delete(question.id);
        questions.delete(question);
        if (questions.size === 0 && asked.get(hostId) === questions) asked.delete(hostId);
      }, answerMs).unref();
    },
    /** Removes and returns the open questions to a host. */
    take(hostId: string): HostQuestion[] {
      const questions = [...(asked.get(hostId) ?? [])];
      asked.delete(hostId);
      return questions;
    },
    /** Whether the host was asked this and has not answered yet. Other answers would wake all nodes for nothing. */
    redeem: (hostId: string, questionId: string): boolean =>
      open.get(questionId) === hostId && open.delete(questionId),
    /** Accepts an answer only from the host that was asked (S79). */
    answered(hostId: string, { question, devices }: HostAnswer): void {
      const one = waiting.get(question);
      if (one?.hostId === hostId) one.settle(devices);
    },
    end(): void {
      for (const { settle } of [...waiting.values()]) settle(undefined);
    },
  };
}

export type HostQuestionRegistry = ReturnType<typeof createHostQuestions>;
