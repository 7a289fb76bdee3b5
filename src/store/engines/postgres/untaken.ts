// The instances that a node has to take, as a part of larger statements.

/**
 * The query expressions `owners` and `untaken`, for a statement that begins with `with recursive`. `untaken` has the ids of
 * instances without a node that have a login, a pairing or a log-out to finish, and of those whose node has ended. The owners are
 * read one by one from the index, so that the cost follows the number of nodes and not of instances.
 */
export const UNTAKEN_INSTANCES = `owners (id) as (
    (select node_id from instances where node_id is not null and deleted_at is null order by node_id limit 1)
    union all
    select (select node_id from instances where node_id > owners.id and deleted_at is null order by node_id limit 1)
    from owners where owners.id is not null
  ), untaken as (
    select id from instances where node_id is null and deleted_at is null
      and (logged_in = 1 or state <> 'close' or logout_requested_at is not null)
    union all
    select instances.id from owners join instances on instances.node_id = owners.id
    where owners.id is not null and instances.deleted_at is null
      and not exists (select 1 from nodes where nodes.id = owners.id and status in ('live', 'draining'))
  )`
