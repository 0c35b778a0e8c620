// Package cloud has the clients of S3, Google Cloud Storage and Azure Blob Storage. A program that
// imports it can open s3://, gs:// and azblob:// by gocloud.dev/blob: for exports, for the ledger
// and for backups. Only the command does, because the clients take longer to compile than all of
// usher; tests of other packages read folders.
package cloud

import (
	"strconv"
	"strings"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	azure "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
)

// Versions implements places.Versions.
type Versions struct{}

// Stamp returns the generation of an object if its store counts generations, otherwise its ETag,
// without the quotes that lists may leave out.
func (Versions) Stamp(attributes interface{ As(i any) bool }) string {
	var google storage.ObjectAttrs
	var googleBytes *storage.Reader
	if attributes.As(&google) {
		return strconv.FormatInt(google.Generation, 10)
	} else if attributes.As(&googleBytes) {
		return strconv.FormatInt(googleBytes.Attrs.Generation, 10)
	}
	var amazon s3.HeadObjectOutput
	var amazonListed types.Object
	var amazonBytes s3.GetObjectOutput
	var microsoft azure.GetPropertiesResponse
	var microsoftListed container.BlobItem
	var microsoftBytes azure.DownloadStreamResponse
	var etag *string
	switch {
	case attributes.As(&amazon):
		etag = amazon.ETag
	case attributes.As(&amazonListed):
		etag = amazonListed.ETag
	case attributes.As(&amazonBytes):
		etag = amazonBytes.ETag
	case attributes.As(&microsoft):
		etag = (*string)(microsoft.ETag)
	case attributes.As(&microsoftListed) && microsoftListed.Properties != nil:
		etag = (*string)(microsoftListed.Properties.ETag)
	case attributes.As(&microsoftBytes):
		etag = (*string)(microsoftBytes.ETag)
	}
	if etag == nil {
		return ""
	}
	return strings.Trim(*etag, `"`)
}

// Pin adds the stamp to a request as a condition.
func (Versions) Pin(as func(i any) bool, stamp string) (known bool, err error) {
	etag := `"` + stamp + `"`
	var amazon *s3.GetObjectInput
	var microsoft *azblob.DownloadStreamOptions
	var google **storage.ObjectHandle
	switch {
	case as(&amazon):
		amazon.IfMatch = &etag
	case as(&microsoft):
		match := azcore.ETag(etag)
		microsoft.AccessConditions = &azure.AccessConditions{ModifiedAccessConditions: &azure.ModifiedAccessConditions{IfMatch: &match}}
	case as(&google):
		generation, err := strconv.ParseInt(stamp, 10, 64)
		if err != nil {
			return true, err
		}
		*google = (*google).Generation(generation).ReadCompressed(true) // without decompression
	default:
		return false, nil
	}
	return true, nil
}
