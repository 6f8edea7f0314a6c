import type { Db } from '../ports/database.ts';

/** Something that happened. Its type is declared once, by the module that owns what it happened to. */
export type DomainEvent = { type: string };

/**
 * Publishes an event to its listeners: `compose/reactions.ts` names them. They run in the caller's transaction, one after
 * the other, so that what they do stands or falls with what happened. A listener that throws undoes both.
 */
export type Publish<Event extends DomainEvent> = (tx: Db, event: Event) => Promise<void>;

/** What runs when an event of this type is published. */
export type Listener<Event extends DomainEvent> = (tx: Db, event: Event) => Promise<unknown>;

/** The listeners of each type of event, in the order in which they run. */
export type Listeners<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: readonly Listener<Extract<Event, { type: Type }>>[];
};

/** Publishes to these listeners. */
export const publisherTo =
  <Event extends DomainEvent>(listeners: Listeners<Event>): Publish<Event> =>
  async (tx, event) => {
    const concerned = listeners[event.type as Event['type']] as unknown as readonly Listener<Event>[];
    for (const listener of concerned) await listener(tx, event);
  };
