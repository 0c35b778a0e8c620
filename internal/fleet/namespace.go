package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// TryNamespace writes and removes a key of a namespace, and returns the error of the server if the
// login may not do that.
func TryNamespace(ctx context.Context, rdb Client, namespace string) error {
	if err := writeProbe(ctx, rdb, namespace); err != nil {
		return err
	}
	return rdb.Del(ctx, key(namespace, "probe")).Err()
}

// writeProbe writes a key, to find out whether Redis takes writes.
func writeProbe(ctx context.Context, rdb redis.UniversalClient, namespace string) error {
	return rdb.Set(ctx, key(namespace, "probe"), 1, time.Minute).Err()
}

// RemoveNamespace removes all keys of a namespace, which must not be empty: without a namespace,
// the keys are those of an installation.
func RemoveNamespace(ctx context.Context, rdb Client, namespace string) error {
	if namespace == "" {
		return errors.New("remove the keys of a namespace: it has no name")
	}
	remove := func(ctx context.Context, server Client) error {
		keys := server.Scan(ctx, 0, key(namespace, "*"), 1000).Iterator()
		for keys.Next(ctx) {
			if err := server.Del(ctx, keys.Val()).Err(); err != nil {
				return err
			}
		}
		return keys.Err()
	}
	var err error
	if cluster, ok := rdb.(*redis.ClusterClient); ok {
		err = cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error { return remove(ctx, master) })
	} else {
		err = remove(ctx, rdb)
	}
	if err != nil {
		return fmt.Errorf("remove the keys of %s from Redis: %w", namespace, err)
	}
	return nil
}
