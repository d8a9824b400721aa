// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"encoding/json"
	"example.com/app/mcp/mapbox"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ func(ctx context.Context, args mapbox.CategorySearchToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.CategorySearchTool
var _ = mapbox.CategorySearchToolArgs{}

func _(v mapbox.CategorySearchToolArgs, f string)                             { v.Category, f = f, v.Category }
func _(v mapbox.CategorySearchToolArgs, f *mapbox.CategorySearchToolArgsBbox) { v.Bbox, f = f, v.Bbox }
func _(v mapbox.CategorySearchToolArgs, f []string)                           { v.Country, f = f, v.Country }
func _(v mapbox.CategorySearchToolArgs, f mapbox.CategorySearchToolArgsFormat) {
	v.Format, f = f, v.Format
}
func _(v mapbox.CategorySearchToolArgs, f *string) { v.Language, f = f, v.Language }
func _(v mapbox.CategorySearchToolArgs, f float64) { v.Limit, f = f, v.Limit }
func _(v mapbox.CategorySearchToolArgs, f []string) {
	v.POICategoryExclusions, f = f, v.POICategoryExclusions
}
func _(v mapbox.CategorySearchToolArgs, f mapbox.CategorySearchToolArgsProximity) {
	v.Proximity, f = f, v.Proximity
}

var _ = (*mapbox.CategorySearchToolArgs).UnmarshalJSON
var _ = mapbox.CategorySearchToolArgsBbox{}

func _(v mapbox.CategorySearchToolArgsBbox, f float64) { v.MaxLatitude, f = f, v.MaxLatitude }
func _(v mapbox.CategorySearchToolArgsBbox, f float64) { v.MaxLongitude, f = f, v.MaxLongitude }
func _(v mapbox.CategorySearchToolArgsBbox, f float64) { v.MinLatitude, f = f, v.MinLatitude }
func _(v mapbox.CategorySearchToolArgsBbox, f float64) { v.MinLongitude, f = f, v.MinLongitude }
func _(v mapbox.CategorySearchToolArgsFormat, u string) {
	v, u = mapbox.CategorySearchToolArgsFormat(u), (string)(v)
}

var _ mapbox.CategorySearchToolArgsFormat = mapbox.CategorySearchToolArgsFormatFormattedText
var _ mapbox.CategorySearchToolArgsFormat = mapbox.CategorySearchToolArgsFormatJSONString
var _ mapbox.CategorySearchToolArgsProximity
var _ mapbox.CategorySearchToolArgsProximity = *new(mapbox.CategorySearchToolArgsProximityObject)
var _ mapbox.CategorySearchToolArgsProximity = *new(mapbox.CategorySearchToolArgsProximityOther)
var _ mapbox.CategorySearchToolArgsProximity = *new(mapbox.CategorySearchToolArgsProximityString)
var _ = mapbox.CategorySearchToolArgsProximityObject{}

func _(v mapbox.CategorySearchToolArgsProximityObject, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.CategorySearchToolArgsProximityObject, f float64) { v.Longitude, f = f, v.Longitude }

var _ = mapbox.CategorySearchToolArgsProximityOther{}

func _(v mapbox.CategorySearchToolArgsProximityOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v mapbox.CategorySearchToolArgsProximityString, u string) {
	v, u = mapbox.CategorySearchToolArgsProximityString(u), (string)(v)
}

var _ = mapbox.Client{}
var _ = (*mapbox.Client).CategorySearchTool
var _ = (*mapbox.Client).DirectionsTool
var _ = (*mapbox.Client).ForwardGeocodeTool
var _ = (*mapbox.Client).IsochroneTool
var _ = (*mapbox.Client).MatrixTool
var _ = (*mapbox.Client).POISearchTool
var _ = (*mapbox.Client).ReverseGeocodeTool
var _ = (*mapbox.Client).StaticMapImageTool
var _ func(ctx context.Context, args mapbox.DirectionsToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.DirectionsTool
var _ = mapbox.DirectionsToolArgs{}

func _(v mapbox.DirectionsToolArgs, f []mapbox.DirectionsToolArgsCoordinatesItem) {
	v.Coordinates, f = f, v.Coordinates
}
func _(v mapbox.DirectionsToolArgs, f bool) { v.Alternatives, f = f, v.Alternatives }
func _(v mapbox.DirectionsToolArgs, f []mapbox.DirectionsToolArgsAnnotationsItem) {
	v.Annotations, f = f, v.Annotations
}
func _(v mapbox.DirectionsToolArgs, f *string) { v.ArriveBy, f = f, v.ArriveBy }
func _(v mapbox.DirectionsToolArgs, f *string) { v.DepartAt, f = f, v.DepartAt }
func _(v mapbox.DirectionsToolArgs, f *string) { v.Exclude, f = f, v.Exclude }
func _(v mapbox.DirectionsToolArgs, f mapbox.DirectionsToolArgsGeometries) {
	v.Geometries, f = f, v.Geometries
}
func _(v mapbox.DirectionsToolArgs, f *float64) { v.MaxHeight, f = f, v.MaxHeight }
func _(v mapbox.DirectionsToolArgs, f *float64) { v.MaxWeight, f = f, v.MaxWeight }
func _(v mapbox.DirectionsToolArgs, f *float64) { v.MaxWidth, f = f, v.MaxWidth }
func _(v mapbox.DirectionsToolArgs, f mapbox.DirectionsToolArgsRoutingProfile) {
	v.RoutingProfile, f = f, v.RoutingProfile
}
func _(v mapbox.DirectionsToolArgs, f float64)  { v.WalkingSpeed, f = f, v.WalkingSpeed }
func _(v mapbox.DirectionsToolArgs, f *float64) { v.WalkwayBias, f = f, v.WalkwayBias }
func _(v mapbox.DirectionsToolArgsAnnotationsItem, u string) {
	v, u = mapbox.DirectionsToolArgsAnnotationsItem(u), (string)(v)
}

var _ mapbox.DirectionsToolArgsAnnotationsItem = mapbox.DirectionsToolArgsAnnotationsItemCongestion
var _ mapbox.DirectionsToolArgsAnnotationsItem = mapbox.DirectionsToolArgsAnnotationsItemDistance
var _ mapbox.DirectionsToolArgsAnnotationsItem = mapbox.DirectionsToolArgsAnnotationsItemDuration
var _ mapbox.DirectionsToolArgsAnnotationsItem = mapbox.DirectionsToolArgsAnnotationsItemSpeed
var _ = mapbox.DirectionsToolArgsCoordinatesItem{}

func _(v mapbox.DirectionsToolArgsCoordinatesItem, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.DirectionsToolArgsCoordinatesItem, f float64) { v.Longitude, f = f, v.Longitude }
func _(v mapbox.DirectionsToolArgsGeometries, u string) {
	v, u = mapbox.DirectionsToolArgsGeometries(u), (string)(v)
}

var _ mapbox.DirectionsToolArgsGeometries = mapbox.DirectionsToolArgsGeometriesGeojson
var _ mapbox.DirectionsToolArgsGeometries = mapbox.DirectionsToolArgsGeometriesPolyline
var _ mapbox.DirectionsToolArgsGeometries = mapbox.DirectionsToolArgsGeometriesPolyline6

func _(v mapbox.DirectionsToolArgsRoutingProfile, u string) {
	v, u = mapbox.DirectionsToolArgsRoutingProfile(u), (string)(v)
}

var _ mapbox.DirectionsToolArgsRoutingProfile = mapbox.DirectionsToolArgsRoutingProfileCycling
var _ mapbox.DirectionsToolArgsRoutingProfile = mapbox.DirectionsToolArgsRoutingProfileDriving
var _ mapbox.DirectionsToolArgsRoutingProfile = mapbox.DirectionsToolArgsRoutingProfileDrivingTraffic
var _ mapbox.DirectionsToolArgsRoutingProfile = mapbox.DirectionsToolArgsRoutingProfileWalking
var _ func(ctx context.Context, args mapbox.ForwardGeocodeToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.ForwardGeocodeTool
var _ = mapbox.ForwardGeocodeToolArgs{}

func _(v mapbox.ForwardGeocodeToolArgs, f string)                             { v.Q, f = f, v.Q }
func _(v mapbox.ForwardGeocodeToolArgs, f *bool)                              { v.Autocomplete, f = f, v.Autocomplete }
func _(v mapbox.ForwardGeocodeToolArgs, f *mapbox.ForwardGeocodeToolArgsBbox) { v.Bbox, f = f, v.Bbox }
func _(v mapbox.ForwardGeocodeToolArgs, f []string)                           { v.Country, f = f, v.Country }
func _(v mapbox.ForwardGeocodeToolArgs, f mapbox.ForwardGeocodeToolArgsFormat) {
	v.Format, f = f, v.Format
}
func _(v mapbox.ForwardGeocodeToolArgs, f *string) { v.Language, f = f, v.Language }
func _(v mapbox.ForwardGeocodeToolArgs, f float64) { v.Limit, f = f, v.Limit }
func _(v mapbox.ForwardGeocodeToolArgs, f bool)    { v.Permanent, f = f, v.Permanent }
func _(v mapbox.ForwardGeocodeToolArgs, f mapbox.ForwardGeocodeToolArgsProximity) {
	v.Proximity, f = f, v.Proximity
}
func _(v mapbox.ForwardGeocodeToolArgs, f []mapbox.ForwardGeocodeToolArgsTypesItem) {
	v.Types, f = f, v.Types
}
func _(v mapbox.ForwardGeocodeToolArgs, f mapbox.ForwardGeocodeToolArgsWorldview) {
	v.Worldview, f = f, v.Worldview
}

var _ = (*mapbox.ForwardGeocodeToolArgs).UnmarshalJSON
var _ = mapbox.ForwardGeocodeToolArgsBbox{}

func _(v mapbox.ForwardGeocodeToolArgsBbox, f float64) { v.MaxLatitude, f = f, v.MaxLatitude }
func _(v mapbox.ForwardGeocodeToolArgsBbox, f float64) { v.MaxLongitude, f = f, v.MaxLongitude }
func _(v mapbox.ForwardGeocodeToolArgsBbox, f float64) { v.MinLatitude, f = f, v.MinLatitude }
func _(v mapbox.ForwardGeocodeToolArgsBbox, f float64) { v.MinLongitude, f = f, v.MinLongitude }
func _(v mapbox.ForwardGeocodeToolArgsFormat, u string) {
	v, u = mapbox.ForwardGeocodeToolArgsFormat(u), (string)(v)
}

var _ mapbox.ForwardGeocodeToolArgsFormat = mapbox.ForwardGeocodeToolArgsFormatFormattedText
var _ mapbox.ForwardGeocodeToolArgsFormat = mapbox.ForwardGeocodeToolArgsFormatJSONString
var _ mapbox.ForwardGeocodeToolArgsProximity
var _ mapbox.ForwardGeocodeToolArgsProximity = *new(mapbox.ForwardGeocodeToolArgsProximityObject)
var _ mapbox.ForwardGeocodeToolArgsProximity = *new(mapbox.ForwardGeocodeToolArgsProximityOther)
var _ mapbox.ForwardGeocodeToolArgsProximity = *new(mapbox.ForwardGeocodeToolArgsProximityString)
var _ = mapbox.ForwardGeocodeToolArgsProximityObject{}

func _(v mapbox.ForwardGeocodeToolArgsProximityObject, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.ForwardGeocodeToolArgsProximityObject, f float64) { v.Longitude, f = f, v.Longitude }

var _ = mapbox.ForwardGeocodeToolArgsProximityOther{}

func _(v mapbox.ForwardGeocodeToolArgsProximityOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v mapbox.ForwardGeocodeToolArgsProximityString, u string) {
	v, u = mapbox.ForwardGeocodeToolArgsProximityString(u), (string)(v)
}
func _(v mapbox.ForwardGeocodeToolArgsTypesItem, u string) {
	v, u = mapbox.ForwardGeocodeToolArgsTypesItem(u), (string)(v)
}

var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemAddress
var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemCountry
var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemDistrict
var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemLocality
var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemNeighborhood
var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemPlace
var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemPostcode
var _ mapbox.ForwardGeocodeToolArgsTypesItem = mapbox.ForwardGeocodeToolArgsTypesItemRegion

func _(v mapbox.ForwardGeocodeToolArgsWorldview, u string) {
	v, u = mapbox.ForwardGeocodeToolArgsWorldview(u), (string)(v)
}

var _ mapbox.ForwardGeocodeToolArgsWorldview = mapbox.ForwardGeocodeToolArgsWorldviewCn
var _ mapbox.ForwardGeocodeToolArgsWorldview = mapbox.ForwardGeocodeToolArgsWorldviewIn
var _ mapbox.ForwardGeocodeToolArgsWorldview = mapbox.ForwardGeocodeToolArgsWorldviewJp
var _ mapbox.ForwardGeocodeToolArgsWorldview = mapbox.ForwardGeocodeToolArgsWorldviewUs
var _ func(ctx context.Context, args mapbox.IsochroneToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.IsochroneTool
var _ = mapbox.IsochroneToolArgs{}

func _(v mapbox.IsochroneToolArgs, f mapbox.IsochroneToolArgsCoordinates) {
	v.Coordinates, f = f, v.Coordinates
}
func _(v mapbox.IsochroneToolArgs, f float64)  { v.Generalize, f = f, v.Generalize }
func _(v mapbox.IsochroneToolArgs, f []string) { v.ContoursColors, f = f, v.ContoursColors }
func _(v mapbox.IsochroneToolArgs, f []int)    { v.ContoursMeters, f = f, v.ContoursMeters }
func _(v mapbox.IsochroneToolArgs, f []int)    { v.ContoursMinutes, f = f, v.ContoursMinutes }
func _(v mapbox.IsochroneToolArgs, f *float64) { v.Denoise, f = f, v.Denoise }
func _(v mapbox.IsochroneToolArgs, f *string)  { v.DepartAt, f = f, v.DepartAt }
func _(v mapbox.IsochroneToolArgs, f []mapbox.IsochroneToolArgsExcludeItem) {
	v.Exclude, f = f, v.Exclude
}
func _(v mapbox.IsochroneToolArgs, f bool)                            { v.Polygons, f = f, v.Polygons }
func _(v mapbox.IsochroneToolArgs, f mapbox.IsochroneToolArgsProfile) { v.Profile, f = f, v.Profile }

var _ = mapbox.IsochroneToolArgsCoordinates{}

func _(v mapbox.IsochroneToolArgsCoordinates, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.IsochroneToolArgsCoordinates, f float64) { v.Longitude, f = f, v.Longitude }
func _(v mapbox.IsochroneToolArgsExcludeItem, u string) {
	v, u = mapbox.IsochroneToolArgsExcludeItem(u), (string)(v)
}

var _ mapbox.IsochroneToolArgsExcludeItem = mapbox.IsochroneToolArgsExcludeItemCashOnlyTolls
var _ mapbox.IsochroneToolArgsExcludeItem = mapbox.IsochroneToolArgsExcludeItemFerry
var _ mapbox.IsochroneToolArgsExcludeItem = mapbox.IsochroneToolArgsExcludeItemMotorway
var _ mapbox.IsochroneToolArgsExcludeItem = mapbox.IsochroneToolArgsExcludeItemToll
var _ mapbox.IsochroneToolArgsExcludeItem = mapbox.IsochroneToolArgsExcludeItemUnpaved

func _(v mapbox.IsochroneToolArgsProfile, u string) {
	v, u = mapbox.IsochroneToolArgsProfile(u), (string)(v)
}

var _ mapbox.IsochroneToolArgsProfile = mapbox.IsochroneToolArgsProfileMapboxCycling
var _ mapbox.IsochroneToolArgsProfile = mapbox.IsochroneToolArgsProfileMapboxDriving
var _ mapbox.IsochroneToolArgsProfile = mapbox.IsochroneToolArgsProfileMapboxDrivingTraffic
var _ mapbox.IsochroneToolArgsProfile = mapbox.IsochroneToolArgsProfileMapboxWalking
var _ func() *runtime.Manifest = mapbox.Manifest
var _ func(ctx context.Context, args mapbox.MatrixToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.MatrixTool
var _ = mapbox.MatrixToolArgs{}

func _(v mapbox.MatrixToolArgs, f []mapbox.MatrixToolArgsCoordinatesItem) {
	v.Coordinates, f = f, v.Coordinates
}
func _(v mapbox.MatrixToolArgs, f mapbox.MatrixToolArgsProfile) { v.Profile, f = f, v.Profile }
func _(v mapbox.MatrixToolArgs, f mapbox.MatrixToolArgsAnnotations) {
	v.Annotations, f = f, v.Annotations
}
func _(v mapbox.MatrixToolArgs, f *string) { v.Approaches, f = f, v.Approaches }
func _(v mapbox.MatrixToolArgs, f *string) { v.Bearings, f = f, v.Bearings }
func _(v mapbox.MatrixToolArgs, f *string) { v.Destinations, f = f, v.Destinations }
func _(v mapbox.MatrixToolArgs, f *string) { v.Sources, f = f, v.Sources }
func _(v mapbox.MatrixToolArgsAnnotations, u string) {
	v, u = mapbox.MatrixToolArgsAnnotations(u), (string)(v)
}

var _ mapbox.MatrixToolArgsAnnotations = mapbox.MatrixToolArgsAnnotationsDistance
var _ mapbox.MatrixToolArgsAnnotations = mapbox.MatrixToolArgsAnnotationsDistanceDuration
var _ mapbox.MatrixToolArgsAnnotations = mapbox.MatrixToolArgsAnnotationsDuration
var _ mapbox.MatrixToolArgsAnnotations = mapbox.MatrixToolArgsAnnotationsDurationDistance
var _ = mapbox.MatrixToolArgsCoordinatesItem{}

func _(v mapbox.MatrixToolArgsCoordinatesItem, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.MatrixToolArgsCoordinatesItem, f float64) { v.Longitude, f = f, v.Longitude }
func _(v mapbox.MatrixToolArgsProfile, u string)          { v, u = mapbox.MatrixToolArgsProfile(u), (string)(v) }

var _ mapbox.MatrixToolArgsProfile = mapbox.MatrixToolArgsProfileCycling
var _ mapbox.MatrixToolArgsProfile = mapbox.MatrixToolArgsProfileDriving
var _ mapbox.MatrixToolArgsProfile = mapbox.MatrixToolArgsProfileDrivingTraffic
var _ mapbox.MatrixToolArgsProfile = mapbox.MatrixToolArgsProfileWalking
var _ func(inv runtime.Invoker) *mapbox.Client = mapbox.New
var _ func(ctx context.Context, args mapbox.POISearchToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.POISearchTool
var _ = mapbox.POISearchToolArgs{}

func _(v mapbox.POISearchToolArgs, f string)                          { v.Q, f = f, v.Q }
func _(v mapbox.POISearchToolArgs, f *bool)                           { v.AutoComplete, f = f, v.AutoComplete }
func _(v mapbox.POISearchToolArgs, f *mapbox.POISearchToolArgsBbox)   { v.Bbox, f = f, v.Bbox }
func _(v mapbox.POISearchToolArgs, f []string)                        { v.Country, f = f, v.Country }
func _(v mapbox.POISearchToolArgs, f mapbox.POISearchToolArgsETAType) { v.ETAType, f = f, v.ETAType }
func _(v mapbox.POISearchToolArgs, f mapbox.POISearchToolArgsFormat)  { v.Format, f = f, v.Format }
func _(v mapbox.POISearchToolArgs, f *string)                         { v.Language, f = f, v.Language }
func _(v mapbox.POISearchToolArgs, f float64)                         { v.Limit, f = f, v.Limit }
func _(v mapbox.POISearchToolArgs, f mapbox.POISearchToolArgsNavigationProfile) {
	v.NavigationProfile, f = f, v.NavigationProfile
}
func _(v mapbox.POISearchToolArgs, f *mapbox.POISearchToolArgsOrigin) { v.Origin, f = f, v.Origin }
func _(v mapbox.POISearchToolArgs, f []string)                        { v.POICategory, f = f, v.POICategory }
func _(v mapbox.POISearchToolArgs, f mapbox.POISearchToolArgsProximity) {
	v.Proximity, f = f, v.Proximity
}
func _(v mapbox.POISearchToolArgs, f []string) { v.Types, f = f, v.Types }

var _ = (*mapbox.POISearchToolArgs).UnmarshalJSON
var _ = mapbox.POISearchToolArgsBbox{}

func _(v mapbox.POISearchToolArgsBbox, f float64) { v.MaxLatitude, f = f, v.MaxLatitude }
func _(v mapbox.POISearchToolArgsBbox, f float64) { v.MaxLongitude, f = f, v.MaxLongitude }
func _(v mapbox.POISearchToolArgsBbox, f float64) { v.MinLatitude, f = f, v.MinLatitude }
func _(v mapbox.POISearchToolArgsBbox, f float64) { v.MinLongitude, f = f, v.MinLongitude }
func _(v mapbox.POISearchToolArgsETAType, u string) {
	v, u = mapbox.POISearchToolArgsETAType(u), (string)(v)
}

var _ mapbox.POISearchToolArgsETAType = mapbox.POISearchToolArgsETATypeNavigation

func _(v mapbox.POISearchToolArgsFormat, u string) {
	v, u = mapbox.POISearchToolArgsFormat(u), (string)(v)
}

var _ mapbox.POISearchToolArgsFormat = mapbox.POISearchToolArgsFormatFormattedText
var _ mapbox.POISearchToolArgsFormat = mapbox.POISearchToolArgsFormatJSONString

func _(v mapbox.POISearchToolArgsNavigationProfile, u string) {
	v, u = mapbox.POISearchToolArgsNavigationProfile(u), (string)(v)
}

var _ mapbox.POISearchToolArgsNavigationProfile = mapbox.POISearchToolArgsNavigationProfileCycling
var _ mapbox.POISearchToolArgsNavigationProfile = mapbox.POISearchToolArgsNavigationProfileDriving
var _ mapbox.POISearchToolArgsNavigationProfile = mapbox.POISearchToolArgsNavigationProfileDrivingTraffic
var _ mapbox.POISearchToolArgsNavigationProfile = mapbox.POISearchToolArgsNavigationProfileWalking
var _ = mapbox.POISearchToolArgsOrigin{}

func _(v mapbox.POISearchToolArgsOrigin, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.POISearchToolArgsOrigin, f float64) { v.Longitude, f = f, v.Longitude }

var _ mapbox.POISearchToolArgsProximity
var _ mapbox.POISearchToolArgsProximity = *new(mapbox.POISearchToolArgsProximityObject)
var _ mapbox.POISearchToolArgsProximity = *new(mapbox.POISearchToolArgsProximityOther)
var _ mapbox.POISearchToolArgsProximity = *new(mapbox.POISearchToolArgsProximityString)
var _ = mapbox.POISearchToolArgsProximityObject{}

func _(v mapbox.POISearchToolArgsProximityObject, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.POISearchToolArgsProximityObject, f float64) { v.Longitude, f = f, v.Longitude }

var _ = mapbox.POISearchToolArgsProximityOther{}

func _(v mapbox.POISearchToolArgsProximityOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}
func _(v mapbox.POISearchToolArgsProximityString, u string) {
	v, u = mapbox.POISearchToolArgsProximityString(u), (string)(v)
}

var _ func(ctx context.Context, args mapbox.ReverseGeocodeToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.ReverseGeocodeTool
var _ = mapbox.ReverseGeocodeToolArgs{}

func _(v mapbox.ReverseGeocodeToolArgs, f float64)  { v.Latitude, f = f, v.Latitude }
func _(v mapbox.ReverseGeocodeToolArgs, f float64)  { v.Longitude, f = f, v.Longitude }
func _(v mapbox.ReverseGeocodeToolArgs, f []string) { v.Country, f = f, v.Country }
func _(v mapbox.ReverseGeocodeToolArgs, f mapbox.ReverseGeocodeToolArgsFormat) {
	v.Format, f = f, v.Format
}
func _(v mapbox.ReverseGeocodeToolArgs, f *string) { v.Language, f = f, v.Language }
func _(v mapbox.ReverseGeocodeToolArgs, f float64) { v.Limit, f = f, v.Limit }
func _(v mapbox.ReverseGeocodeToolArgs, f bool)    { v.Permanent, f = f, v.Permanent }
func _(v mapbox.ReverseGeocodeToolArgs, f []mapbox.ReverseGeocodeToolArgsTypesItem) {
	v.Types, f = f, v.Types
}
func _(v mapbox.ReverseGeocodeToolArgs, f mapbox.ReverseGeocodeToolArgsWorldview) {
	v.Worldview, f = f, v.Worldview
}
func _(v mapbox.ReverseGeocodeToolArgsFormat, u string) {
	v, u = mapbox.ReverseGeocodeToolArgsFormat(u), (string)(v)
}

var _ mapbox.ReverseGeocodeToolArgsFormat = mapbox.ReverseGeocodeToolArgsFormatFormattedText
var _ mapbox.ReverseGeocodeToolArgsFormat = mapbox.ReverseGeocodeToolArgsFormatJSONString

func _(v mapbox.ReverseGeocodeToolArgsTypesItem, u string) {
	v, u = mapbox.ReverseGeocodeToolArgsTypesItem(u), (string)(v)
}

var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemAddress
var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemCountry
var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemDistrict
var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemLocality
var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemNeighborhood
var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemPlace
var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemPostcode
var _ mapbox.ReverseGeocodeToolArgsTypesItem = mapbox.ReverseGeocodeToolArgsTypesItemRegion

func _(v mapbox.ReverseGeocodeToolArgsWorldview, u string) {
	v, u = mapbox.ReverseGeocodeToolArgsWorldview(u), (string)(v)
}

var _ mapbox.ReverseGeocodeToolArgsWorldview = mapbox.ReverseGeocodeToolArgsWorldviewCn
var _ mapbox.ReverseGeocodeToolArgsWorldview = mapbox.ReverseGeocodeToolArgsWorldviewIn
var _ mapbox.ReverseGeocodeToolArgsWorldview = mapbox.ReverseGeocodeToolArgsWorldviewJp
var _ mapbox.ReverseGeocodeToolArgsWorldview = mapbox.ReverseGeocodeToolArgsWorldviewUs
var _ func(ctx context.Context, args mapbox.StaticMapImageToolArgs, opts ...runtime.CallOption) (*runtime.Result, error) = mapbox.StaticMapImageTool
var _ = mapbox.StaticMapImageToolArgs{}

func _(v mapbox.StaticMapImageToolArgs, f mapbox.StaticMapImageToolArgsCenter) {
	v.Center, f = f, v.Center
}
func _(v mapbox.StaticMapImageToolArgs, f mapbox.StaticMapImageToolArgsSize) { v.Size, f = f, v.Size }
func _(v mapbox.StaticMapImageToolArgs, f float64)                           { v.Zoom, f = f, v.Zoom }
func _(v mapbox.StaticMapImageToolArgs, f bool)                              { v.HighDensity, f = f, v.HighDensity }
func _(v mapbox.StaticMapImageToolArgs, f []mapbox.StaticMapImageToolArgsOverlaysItem) {
	v.Overlays, f = f, v.Overlays
}
func _(v mapbox.StaticMapImageToolArgs, f *string) { v.Style, f = f, v.Style }

var _ = (*mapbox.StaticMapImageToolArgs).UnmarshalJSON
var _ = mapbox.StaticMapImageToolArgsCenter{}

func _(v mapbox.StaticMapImageToolArgsCenter, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.StaticMapImageToolArgsCenter, f float64) { v.Longitude, f = f, v.Longitude }

var _ mapbox.StaticMapImageToolArgsOverlaysItem
var _ mapbox.StaticMapImageToolArgsOverlaysItem = *new(mapbox.StaticMapImageToolArgsOverlaysItemCustomMarker)
var _ mapbox.StaticMapImageToolArgsOverlaysItem = *new(mapbox.StaticMapImageToolArgsOverlaysItemGeojson)
var _ mapbox.StaticMapImageToolArgsOverlaysItem = *new(mapbox.StaticMapImageToolArgsOverlaysItemMarker)
var _ mapbox.StaticMapImageToolArgsOverlaysItem = *new(mapbox.StaticMapImageToolArgsOverlaysItemOther)
var _ mapbox.StaticMapImageToolArgsOverlaysItem = *new(mapbox.StaticMapImageToolArgsOverlaysItemPath)
var _ = mapbox.StaticMapImageToolArgsOverlaysItemCustomMarker{}

func _(v mapbox.StaticMapImageToolArgsOverlaysItemCustomMarker, f float64) {
	v.Latitude, f = f, v.Latitude
}
func _(v mapbox.StaticMapImageToolArgsOverlaysItemCustomMarker, f float64) {
	v.Longitude, f = f, v.Longitude
}
func _(v mapbox.StaticMapImageToolArgsOverlaysItemCustomMarker, f string) { v.URL, f = f, v.URL }

var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemCustomMarker).UnmarshalJSON
var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemCustomMarker).MarshalJSON
var _ = mapbox.StaticMapImageToolArgsOverlaysItemGeojson{}

func _(v mapbox.StaticMapImageToolArgsOverlaysItemGeojson, f runtime.Opt[any]) { v.Data, f = f, v.Data }

var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemGeojson).UnmarshalJSON
var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemGeojson).MarshalJSON
var _ = mapbox.StaticMapImageToolArgsOverlaysItemMarker{}

func _(v mapbox.StaticMapImageToolArgsOverlaysItemMarker, f float64) { v.Latitude, f = f, v.Latitude }
func _(v mapbox.StaticMapImageToolArgsOverlaysItemMarker, f float64) { v.Longitude, f = f, v.Longitude }
func _(v mapbox.StaticMapImageToolArgsOverlaysItemMarker, f *string) { v.Color, f = f, v.Color }
func _(v mapbox.StaticMapImageToolArgsOverlaysItemMarker, f *string) { v.Label, f = f, v.Label }
func _(v mapbox.StaticMapImageToolArgsOverlaysItemMarker, f mapbox.StaticMapImageToolArgsOverlaysItemMarkerSize) {
	v.Size, f = f, v.Size
}

var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemMarker).UnmarshalJSON
var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemMarker).MarshalJSON

func _(v mapbox.StaticMapImageToolArgsOverlaysItemMarkerSize, u string) {
	v, u = mapbox.StaticMapImageToolArgsOverlaysItemMarkerSize(u), (string)(v)
}

var _ mapbox.StaticMapImageToolArgsOverlaysItemMarkerSize = mapbox.StaticMapImageToolArgsOverlaysItemMarkerSizeLarge
var _ mapbox.StaticMapImageToolArgsOverlaysItemMarkerSize = mapbox.StaticMapImageToolArgsOverlaysItemMarkerSizeSmall
var _ = mapbox.StaticMapImageToolArgsOverlaysItemOther{}

func _(v mapbox.StaticMapImageToolArgsOverlaysItemOther, f json.RawMessage) {
	v.RawMessage, f = f, v.RawMessage
}

var _ = mapbox.StaticMapImageToolArgsOverlaysItemPath{}

func _(v mapbox.StaticMapImageToolArgsOverlaysItemPath, f string) {
	v.EncodedPolyline, f = f, v.EncodedPolyline
}
func _(v mapbox.StaticMapImageToolArgsOverlaysItemPath, f *string) { v.FillColor, f = f, v.FillColor }
func _(v mapbox.StaticMapImageToolArgsOverlaysItemPath, f *float64) {
	v.FillOpacity, f = f, v.FillOpacity
}
func _(v mapbox.StaticMapImageToolArgsOverlaysItemPath, f *string) {
	v.StrokeColor, f = f, v.StrokeColor
}
func _(v mapbox.StaticMapImageToolArgsOverlaysItemPath, f *float64) {
	v.StrokeOpacity, f = f, v.StrokeOpacity
}
func _(v mapbox.StaticMapImageToolArgsOverlaysItemPath, f float64) {
	v.StrokeWidth, f = f, v.StrokeWidth
}

var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemPath).UnmarshalJSON
var _ = (*mapbox.StaticMapImageToolArgsOverlaysItemPath).MarshalJSON
var _ = mapbox.StaticMapImageToolArgsSize{}

func _(v mapbox.StaticMapImageToolArgsSize, f float64) { v.Height, f = f, v.Height }
func _(v mapbox.StaticMapImageToolArgsSize, f float64) { v.Width, f = f, v.Width }

var _ func(inv runtime.Invoker) []runtime.Tool = mapbox.Tools
