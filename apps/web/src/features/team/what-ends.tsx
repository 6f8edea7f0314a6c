import type { Person } from './people.ts';
import { UrlEnds } from './url-ends.tsx';

/** What ends for everybody with somebody who goes: their devices, and the URL for firewalls if they could see it. */
export function WhatEnds({
  role,
  devices,
  own,
}: Pick<Person, 'role' | 'devices'> & { own?: boolean | undefined }) {
  return (
    <>
      {devices.length > 0 && (
        <ul translate="no">
          {devices.map(({ id, name, label }) => (
            <li key={id}>{label ?? name}</li>
          ))}
        </ul>
      )}
      {role !== 'member' && <UrlEnds own={own} />}
    </>
  );
}
