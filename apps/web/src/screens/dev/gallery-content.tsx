import { Accordion } from '@fixpoint/ui/accordion.tsx';
import { Badge } from '@fixpoint/ui/badge.tsx';
import { Bars } from '@fixpoint/ui/bars.tsx';
import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { CheckList } from '@fixpoint/ui/check-list.tsx';
import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Card, Cluster, Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { QrCode } from '@fixpoint/ui/qr-code.tsx';
import { Spark } from '@fixpoint/ui/spark.tsx';
import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { Step, Stepper } from '@fixpoint/ui/stepper.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { Pagination, Table } from '@fixpoint/ui/table.tsx';
import { Tabs } from '@fixpoint/ui/tabs.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { IconLaptop, IconPin, IconServer } from '@fixpoint/ui/topic-icons.tsx';
import { lazy, Suspense, useState } from 'react';
import { PriceRow } from '../../features/plans/price-row.tsx';
import { longWord, noop, Sample } from './gallery-parts.tsx';

const RegionMap = lazy(() =>
  import('../../features/story/region-map.tsx').then(m => ({ default: m.RegionMap })),
);

const invoices = [
  { id: 'FX-2026-000123', date: '2026-11-01', total: 'THB 1,234.50', paid: true },
  { id: 'FX-2026-000098', date: '2026-10-01', total: 'THB 350.00', paid: true },
  { id: 'FX-2026-000071', date: '2026-09-01', total: 'THB 12,350.00', paid: false },
];

const places = [
  { id: 'bkk', lon: 100.5, lat: 13.75, label: 'Bangkok' },
  { id: 'tyo', lon: 139.7, lat: 35.7, label: 'Tokyo' },
  { id: 'fra', lon: 8.7, lat: 50.1, label: 'Frankfurt' },
  { id: 'nyc', lon: -74, lat: 40.7, label: 'New York' },
  { id: 'sao', lon: -46.6, lat: -23.5, label: 'São Paulo' },
];

function Cards() {
  return (
    <Section title="Cards and amounts">
      <Grid min="17rem" gap={6}>
        {[
          { name: 'Solo', price: '350.00', devices: '3 devices', accent: false },
          { name: 'Family', price: '590.00', devices: '10 devices', accent: true },
        ].map(plan => (
          <Card
            key={plan.name}
            tone={plan.accent ? 'accent' : 'plain'}
            footer={
              <Button variant={plan.accent ? 'primary' : 'secondary'} block>
                Choose {plan.name}
              </Button>
            }
          >
            <Stack gap={6}>
              <Cluster justify="between">
                <h3>{plan.name}</h3>
                {plan.accent && <Badge>Most chosen</Badge>}
              </Cluster>
              <PriceRow
                amount={`THB ${plan.price}`}
                per="per month"
                was={plan.accent ? 'THB 790.00' : undefined}
                wasLabel="before"
                note="First year, VAT included"
              />
              <CheckList items={['One fixed IP address', plan.devices, '250 Mbit/s line, never cut off']} />
            </Stack>
          </Card>
        ))}
        <Card tone="sunken">
          <Stack gap={4}>
            <h3>Your order</h3>
            <SummaryList
              rows={[
                { term: 'Family, 12 months', value: '6,616.82' },
                { term: 'Credit for unused days', value: '−120.00', tone: 'credit' },
                { term: 'VAT 7 %', value: '463.18' },
                {
                  term: 'Total',
                  value: 'THB 6,960.00',
                  strong: true,
                  note: 'Renews every 12 months, next on 21 Nov 2027, THB 7,080.00.',
                },
              ]}
            />
          </Stack>
        </Card>
      </Grid>
      <Card>
        <Stack gap={6}>
          <Cluster justify="between" align="start">
            <Stack gap={1}>
              <StatusLabel tone="good">Active until 21 Nov 2027</StatusLabel>
              <Copyable
                size="l"
                value="203.0.113.207"
                label="IP address"
                copyLabel="Copy"
                copiedLabel="Copied"
              />
              <span className="muted">Bangkok, Family, 4 of 10 devices</span>
            </Stack>
            <LinkButton href="#/en/_ui">Manage</LinkButton>
          </Cluster>
          <Spark label="Usage by day" values={[3, 8, 0, 5, 13, 2, 9]} />
          <Bars
            rows={[
              { key: 'a', label: 'November 2026', value: 412, text: '412 GB' },
              { key: 'b', label: 'October 2026', value: 97, text: '97 GB' },
            ]}
          />
        </Stack>
      </Card>
    </Section>
  );
}

function Lists() {
  const [page, setPage] = useState(5);
  return (
    <Section title="Tables, tabs, questions">
      <Table
        caption="Invoices"
        rows={invoices}
        rowKey={row => row.id}
        columns={[
          { key: 'id', header: 'Number', mono: true, cell: row => row.id },
          { key: 'date', header: 'Date', cell: row => row.date },
          {
            key: 'state',
            header: 'State',
            cell: row => (
              <StatusLabel tone={row.paid ? 'good' : 'warn'}>{row.paid ? 'Paid' : 'Open'}</StatusLabel>
            ),
          },
          { key: 'total', header: 'Total', align: 'end', cell: row => row.total },
        ]}
      />
      <Pagination
        page={page}
        pages={12}
        onPage={setPage}
        labels={{ nav: 'Pages', previous: 'Previous page', next: 'Next page', page: n => `Page ${n}` }}
      />
      <Table
        caption="Keys, with a long name"
        rows={[{ name: longWord, created: '2026-11-21' }]}
        rowKey={row => row.name}
        columns={[
          { key: 'name', header: 'Name', mono: true, cell: row => row.name },
          { key: 'created', header: 'Created', cell: row => row.created },
        ]}
      />
      <Tabs
        label="Your device"
        items={[
          {
            id: 'win',
            label: 'Windows',
            icon: <IconServer />,
            panel: <p>Download, install, import the file.</p>,
          },
          {
            id: 'mac',
            label: 'Mac',
            icon: <IconLaptop />,
            panel: <p>Open the image and drag the client over.</p>,
          },
          {
            id: 'phone',
            label: 'Phone',
            icon: <IconPin />,
            panel: <p>Scan the code below with the camera.</p>,
          },
        ]}
      />
      <Accordion
        items={[
          {
            id: 'q1',
            title: 'What is a fixed IP address?',
            content: 'An address that is yours as long as you stay.',
          },
          { id: 'q2', title: 'Do you keep logs of what I do, when I do it, or from where?', content: 'No.' },
        ]}
      />
    </Section>
  );
}

function Steps() {
  return (
    <Section title="Steps on one page">
      <div style={{ maxWidth: 'var(--width-text)' }}>
        <Stepper>
          <Step
            number={1}
            title="Plan"
            state="done"
            stateLabel="done"
            summary="Family, Bangkok, 12 months"
            action={
              <Button variant="quiet" size="s">
                Change
              </Button>
            }
          >
            {null}
          </Step>
          <Step number={2} title="Your e-mail" state="current" stateLabel="now">
            <TextField label="Email" name="g-step-email" hint="For the receipt and your first password." />
          </Step>
          <Step number={3} title="Payment" state="later" stateLabel="later">
            <TextField label="Card number" name="g-step-card" mono onChange={noop} />
          </Step>
        </Stepper>
      </div>
    </Section>
  );
}

/** Components of content. */
export function ContentSamples() {
  return (
    <>
      <Cards />
      <Lists />
      <Steps />
      <Section title="Places and codes">
        <Suspense fallback={null}>
          <RegionMap label="Where our hosts are" points={places} />
        </Suspense>
        <Grid min="18rem" gap={8}>
          <Suspense fallback={null}>
            <RegionMap label="Our hosts in Asia" points={places.slice(0, 2)} area="asia" />
          </Suspense>
          <Sample name="qr: always dark on white">
            <QrCode value="https://example.com/import/0123456789abcdef" label="One-time link to your key" />
            <Copyable value="0123456789abcdef" label="Key" copyLabel="Copy" copiedLabel="Copied" />
          </Sample>
        </Grid>
      </Section>
    </>
  );
}
