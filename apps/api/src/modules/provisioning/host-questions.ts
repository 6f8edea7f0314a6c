import type { DeviceSeen, HostAnswer, HostQuestion } from '@fixpoint/contract/agent.ts';

/** A host that has not said within this time is not waited for. */
const ANSWER_MS = 8_000;

/**
 * Questions to VPN hosts, and who waits for their answers: in this node's memory and nowhere else, for as long as a
 * customer's call takes. What a host answers to nobody is forgotten as it comes.
 */
export function createHostQuestions(answerMs = ANSWER_MS) {
  const asked = new Map<string, Set<HostQuestion>>();
  /** Whose answer may still be waited for in some node: the host that each question is for. */
  const open = new Map<string, string>();
  const waiting = new Map<
    string,
    { hostId: string; settle(devices: readonly DeviceSeen[] | undefined): void }
  >();

  return {
    /** What the host answers; undefined when it did not in time. Before the question goes out. */
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
    /** A question of any node: the host takes it along when it asks this one. */
    heard(hostId: string, question: HostQuestion): void {
      const questions = asked.get(hostId) ?? new Set();
      asked.set(hostId, questions.add(question));
      open.set(question.id, hostId);
      // Another node may have passed it on long ago, and nobody waits any more.
      setTimeout(() => {
        open.delete(question.id);
        questions.delete(question);
        if (questions.size === 0 && asked.get(hostId) === questions) asked.delete(hostId);
      }, answerMs).unref();
    },
    /** Takes what a host is asked. */
    take(hostId: string): HostQuestion[] {
      const questions = [...(asked.get(hostId) ?? [])];
      asked.delete(hostId);
      return questions;
    },
    /** Whether a host was asked this and has not answered yet: what else it says would wake all nodes for nothing. */
    redeem: (hostId: string, questionId: string): boolean =>
      open.get(questionId) === hostId && open.delete(questionId),
    /** Only the host that was asked is listened to (S79). */
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
