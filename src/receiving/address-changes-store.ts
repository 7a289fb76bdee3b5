// Whether a report changes what is known about an address. Each received message repeats it, and writing the row again would add two
// pages to the commit. The address that was reported last for a number stays the latest: another one of that number counts as a change.
export const ADDRESS_CHANGES = `addresses.phone <> excluded.phone or exists (
  select 1 from addresses other where other.instance_id = excluded.instance_id and other.phone = excluded.phone
    and other.lid <> excluded.lid and other.updated_at >= addresses.updated_at)`
