import { useState } from 'preact/hooks'
import { offerUndo } from '../client/undo.ts'
import { UndoLines } from '../shell/Undo.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Combobox } from '../ui/Combobox.tsx'
import { Count } from '../ui/Count.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'
import { FixedList } from '../ui/FixedList.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import { Switch } from '../ui/Switch.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { Why } from '../ui/Why.tsx'

const names = ['Iris Gardener', 'Otto Gardener', 'Fern Gardener', 'Rosalind Hale', 'Gus Gardener']
const everyone = Array.from({ length: 100_000 }, (_, index) => `Person ${index + 1}`)

export function Components() {
  return (
    <>
      <Buttons />
      <Overlays />
      <Forms />
      <Marks />
      <Lists />
      <States />
      <UndoLines />
    </>
  )
}

function Buttons() {
  return (
    <section>
      <h2>Button, IconButton, Tooltip, Undo</h2>
      <div class="Styleguide-row">
        <Button look="primary">Save</Button>
        <Button icon="plus">New stream</Button>
        <Button look="plain">Cancel</Button>
        <Button look="danger" icon="trash-2">
          Delete
        </Button>
        <Button disabled>Disabled</Button>
        <IconButton icon="star" label="Star" />
        <IconButton icon="bell-off" label="Mute" isPressed />
        <Button onClick={() => offerUndo('12 messages marked as read.', () => {})}>Do something</Button>
      </div>
    </section>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'sheet'>()
  const close = () => setOpen(undefined)
  return (
    <section>
      <h2>Menu, Popover, Dialog, Sheet, Why</h2>
      <div class="Styleguide-row">
        <Menu
          label="Actions"
          items={[
            { text: 'Reply', icon: 'reply', onSelect: () => {} },
            { text: 'Copy link', icon: 'link', onSelect: () => {} },
            { text: 'Edit', icon: 'pencil', refusal: 'Messages can be edited for ten minutes.' },
            { text: 'Delete', icon: 'trash-2', isDanger: true, startsGroup: true, onSelect: () => {} },
          ]}
          button={(properties) => (
            <button type="button" class="Button Button-quiet" {...properties}>
              Menu
            </button>
          )}
        />
        <Popover
          label="Iris Gardener"
          button={(properties) => (
            <button type="button" class="Button Button-quiet" {...properties}>
              Popover
            </button>
          )}
        >
          <p>Iris Gardener, administrator. It is 10:42 there.</p>
        </Popover>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('sheet')}>Sheet</Button>
        <Why
          subject="Edit this message"
          ask={async () => ({
            sentence: 'Messages can be edited for ten minutes.',
            facts: [{ name: 'Sent', value: '2 hours ago' }],
            href: '#organization/explain',
          })}
        />
      </div>
      {open === 'dialog' && (
        <Dialog
          title="Delete this message?"
          onClose={close}
          actions={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button look="danger" onClick={close}>
                Delete
              </Button>
            </>
          }
        >
          <p>“Pruned the south wall today.” is deleted for everyone.</p>
        </Dialog>
      )}
      {open === 'sheet' && (
        <Sheet title="People" onClose={close}>
          {names.map((name) => (
            <p key={name}>{name}</p>
          ))}
        </Sheet>
      )}
    </section>
  )
}

function Forms() {
  const [isOn, setOn] = useState(true)
  const [typed, setTyped] = useState('')
  const options = names
    .filter((name) => name.toLowerCase().includes(typed.toLowerCase()))
    .map((name) => ({ id: name, text: name }))
  return (
    <section>
      <h2>Field, Switch, Combobox</h2>
      <div class="Styleguide-form">
        <Field label="Name" hint="Shown to everyone in the organization.">
          <input type="text" value="garden" />
        </Field>
        <Field label="Name" problem="There is a stream with this name already.">
          <input type="text" value="roses" />
        </Field>
        <Field label="Description" isOptional>
          <textarea placeholder="What is it about?" />
        </Field>
        <Field label="Who may post">
          <select>
            <option>Everyone</option>
            <option>Administrators</option>
          </select>
        </Field>
        <Field label="Person">
          <Combobox
            label="Person"
            value={typed}
            onInput={setTyped}
            options={options}
            onChoose={({ text }) => setTyped(text)}
          />
        </Field>
        <Switch
          label="Desktop notifications"
          hint="For mentions and private messages."
          isOn={isOn}
          onChange={setOn}
        />
        <Switch label="Sounds" isOn={false} onChange={() => {}} />
        <Switch label="E-mail" isOn={false} isDisabled onChange={() => {}} />
      </div>
    </section>
  )
}

function Marks() {
  return (
    <section>
      <h2>Avatar, Count, StreamShape</h2>
      <div class="Styleguide-row">
        <Avatar user_id={1} url="" name="Iris Gardener" size="s" />
        <Avatar user_id={2} url="" name="Otto Gardener" />
        <Avatar user_id={3} url="" name="Fern" size="l" />
        <Count count={4} label="4 unread messages" />
        <Count count={1_204} label="1,204 unread messages" />
        <Count count={2} label="2 mentions" look="about-you" />
        <Count count={12} label="12 muted messages" look="muted" />
        <StreamShape kind="public" color="#76ce90" />
        <StreamShape kind="private" color="#fae589" />
        <StreamShape kind="announcement" color="#a6c7e5" />
      </div>
    </section>
  )
}

function Lists() {
  const [tab, setTab] = useState('all')
  return (
    <section>
      <h2>Tabs, FixedList</h2>
      <Tabs
        label="People"
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'all',
            text: 'All',
            content: () => (
              <div class="Styleguide-list">
                <FixedList label="100,000 people" items={everyone} rowHeight={40} keyOf={(name) => name}>
                  {(name) => (
                    <>
                      <Avatar user_id={4} url="" name={name} />
                      {name}
                    </>
                  )}
                </FixedList>
              </div>
            ),
          },
          { id: 'guests', text: 'Guests', content: () => <p>No guests.</p> },
        ]}
      />
    </section>
  )
}

function States() {
  return (
    <section>
      <h2>Notice, Empty</h2>
      <Notice>You are not in this stream.</Notice>
      <Notice look="success">The password was changed.</Notice>
      <Notice look="warning">This link was not understood.</Notice>
      <Notice look="danger">Not sent: only administrators post to this stream.</Notice>
      <Empty icon="inbox" title="Nothing unread." text="New messages appear here, by conversation.">
        <Button look="primary">Write</Button>
      </Empty>
    </section>
  )
}
