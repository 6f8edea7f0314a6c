import {
  type Compilable,
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Db } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

/** Stands for a value while a query is written. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
const places = new Proxy(
  {},
  {
    get: (_, name) => new Place(String(name)),
    ownKeys: () => {
      throw new TypeError('A compiled query names its values one by one');
    },
  },
);

/** Writes queries and makes none. */
const writer = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * A query that is written once, not for each call: of the reads that every page makes, building the statement was the
 * larger part of the work.
 * @param build gets places instead of values: it names each and hands it to the query, and does nothing else with them
 */
export function compiled<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let query: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    query ??= build(writer, places as Values).compile();
    const parameters = query.parameters.map(value =>
      value instanceof Place ? values[value.name as keyof Values] : value,
    );
    return (await db.executeQuery<Row>(CompiledQuery.raw(query.sql, parameters))).rows;
  };
}
