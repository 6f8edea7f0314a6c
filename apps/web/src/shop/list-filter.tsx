import { Cluster } from '@fixpoint/ui/layout.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from './texts.ts';

type Option<Value> = { value: Value; label: string };
type Choice<Status, Sort> = {
  status?: Status | undefined;
  sort?: Sort | undefined;
  search?: string | undefined;
};

/** Search, filter by state, and order of a list. */
export function ListFilter<Status extends string, Sort extends string>(props: {
  /** Label of the search; absent where the list is too short for one. */
  search?: string | undefined;
  statuses: readonly Option<Status>[];
  sorts: readonly Option<Sort>[];
  choice: Choice<Status, Sort>;
  /** Called with what has changed. */
  onChoice: (change: Choice<Status, Sort>) => void;
  /** Further filters. */
  children?: ReactNode;
}) {
  const t = useText();
  const { search, statuses, sorts, choice, onChoice, children } = props;
  const { status, sort } = choice;
  const chosenOf = <Value extends string>(options: readonly Option<Value>[], text: string) =>
    options.find(({ value }) => value === text)?.value;
  return (
    <Cluster align="end">
      {search && (
        <Search label={search} value={choice.search ?? ''} onSearch={text => onChoice({ search: text })} />
      )}
      {children}
      <Select
        label={t('billing.status')}
        width="m"
        value={status ?? ''}
        options={[{ value: '', label: t('billing.filter.all') }, ...statuses]}
        onChange={({ target }) => onChoice({ status: chosenOf(statuses, target.value) })}
      />
      <Select
        label={t('billing.sort')}
        width="m"
        value={sort}
        options={[...sorts]}
        onChange={({ target }) => onChoice({ sort: chosenOf(sorts, target.value) })}
      />
    </Cluster>
  );
}

/** How long the typing rests before it is searched for, ms. */
const REST_MS = 300;

function Search(props: { label: string; value: string; onSearch: (text: string | undefined) => void }) {
  const { label, value, onSearch } = props;
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  // Back and links change the address, and with it what is searched for; a search of one's own does
  // not overwrite what is typed meanwhile.
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts a search
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => {
      sent.current = typed.trim();
      onSearch(typed.trim() || undefined);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      type="search"
      label={label}
      width="m"
      value={typed}
      maxLength={100}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="search"
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
